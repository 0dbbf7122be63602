"""Reading events over real connections."""

from __future__ import annotations

import time

import pytest
from clients import Both, both  # noqa: F401
from scripted_server import Talk, event_of, run_of, serve, sse

from agent_run import FollowTimeoutError


def test_a_quiet_stream_is_neither_cut_nor_polled(both: Both) -> None:
    ended: list[bool] = []

    def script(talk: Talk) -> None:
        if not talk.path.partition("?")[0].endswith("/events"):
            last = 4 if ended else 1
            return talk.answer(run_of(state="SUCCEEDED" if ended else "INPROGRESS", last_seq=last))
        send = talk.stream()
        send(": hello\n\n" + sse(event_of(1, "INPROGRESS")))
        time.sleep(0.3)
        send(sse(event_of(2)))
        time.sleep(2.4)
        ended.append(True)
        send(sse(event_of(3)) + sse(event_of(4, "SUCCEEDED")))
        talk.end_stream()

    events: list[int] = []
    with serve(script) as server:
        wait = lambda c: c.runs.wait("run-1", on_event=lambda event: events.append(event.seq))  # noqa: E731
        run = both.ask(wait, base_url=server.url)
        assert run.state == "SUCCEEDED" and events == [1, 2, 3, 4]
        assert server.count("GET", "/events") == 1
        assert server.count("GET", "/run-1") <= 3


def test_a_time_limit_ends_following_in_time_although_a_stream_is_silent(both: Both) -> None:
    def script(talk: Talk) -> None:
        if not talk.path.partition("?")[0].endswith("/events"):
            return talk.answer(run_of(last_seq=1))
        if "event-stream" not in talk.asked.headers.get("accept", ""):
            time.sleep(float(talk.asked.headers.get("prefer", "wait=0").removeprefix("wait=")))
            events = [event_of(1, "INPROGRESS")] if "after=0" in talk.path else []
            return talk.answer({"events": events, "next_after": 1, "done": False})
        send = talk.stream()
        send(": hello\n\n" + sse(event_of(1, "INPROGRESS")))
        talk.wait_for_hang_up()

    with serve(script) as server:
        began = time.monotonic()
        with pytest.raises(FollowTimeoutError) as caught:
            wait = lambda c: c.runs.wait("run-1", on_event=lambda event: None, timeout=1.5)  # noqa: E731
            both.ask(wait, base_url=server.url)
        assert caught.value.limit == "total"
        assert time.monotonic() - began < 4
        assert len(server.asked) < 12
