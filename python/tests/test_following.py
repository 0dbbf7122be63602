"""Following a run, by a hand clock. test/vectors has more of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import pytest
from clients import Both, HandClock, both  # noqa: F401
from scripted_server import FEATURES, event_of, run_of, sse
from test_calls import answer, in_turn, problem

import agent_run
from agent_run import FollowTimeoutError, RunLostError

Route = Callable[[httpx.Request], "httpx.Response | Exception"]


def stream_of(*events: dict[str, Any], text: str = "") -> httpx.Response:
    headers = {**FEATURES, "content-type": "text/event-stream"}
    return httpx.Response(200, text=": hello\n\n" + sse(*events) + text, headers=headers)


def page_of(*events: dict[str, Any], done: bool = False) -> httpx.Response:
    return answer({"events": list(events), "next_after": 0, "done": done})


def is_stream(request: httpx.Request) -> bool:
    return "event-stream" in request.headers["accept"]


class Service:
    """Answers requests for a run and its events. A long poll without news takes its time."""

    def __init__(self, run: Route, events: Route | None = None) -> None:
        self.clock = HandClock()
        self.run, self.events = run, events
        self.times: dict[str, list[float]] = {"run": [], "events": []}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        kind = "events" if request.url.path.endswith("/events") else "run"
        self.times[kind].append(self.clock.time)
        route = self.events if kind == "events" else self.run
        given = route(request) if route is not None else problem(404, "not_found")
        if isinstance(given, Exception):
            raise given
        if self.events is None and "agent-run-features" in given.headers:
            given.headers["agent-run-features"] = "wait"
        wait = float(request.headers.get("prefer", "wait=0").removeprefix("wait="))
        is_quiet = given.status_code == 304 or b'"events":[]' in given.content.replace(b" ", b"")
        if is_quiet and wait:
            self.clock.time += wait
        return given


def running(request: httpx.Request) -> httpx.Response:
    """A run in progress that never changes."""
    if "if-none-match" in request.headers:
        return httpx.Response(304, headers=FEATURES)
    return answer(run_of(last_seq=1), etag='"1"')


def test_a_broken_stream_is_resumed_after_the_last_event(both: Both) -> None:
    streams = [
        stream_of(event_of(1, "INPROGRESS"), event_of(2)),
        stream_of(event_of(2), event_of(3), text="data: {cut"),
        stream_of(event_of(4), event_of(5, "SUCCEEDED")),
    ]
    service = Service(running, lambda request: streams.pop(0) if is_stream(request) else page_of(done=not streams))
    events = both.ask(lambda c: c.runs.events("run-1"), service, clock=service.clock)
    assert [one.seq for one in events] == [1, 2, 3, 4, 5] and events[4].data == {"state": "SUCCEEDED"}
    asked = [one for one in both.asked if is_stream(one)]
    assert [one.headers.get("last-event-id") for one in asked] == [None, "2", "3"]
    assert [one.url.params["after"] for one in asked] == ["0", "2", "3"]


@pytest.mark.parametrize(
    "stream",
    [
        page_of(event_of(1)),
        stream_of(),
        httpx.ReadTimeout("held back"),
        stream_of(text="data: <p>not an event\n\n"),
        stream_of(text='data: {"seq": 1}\n\n'),
    ],
    ids=["a page", "empty", "held back", "no events", "another event"],
)
def test_pages_replace_streams_that_bring_nothing(both: Both, stream: httpx.Response | Exception) -> None:
    def events(request: httpx.Request) -> httpx.Response | Exception:
        if is_stream(request):
            return stream if isinstance(stream, Exception) else in_turn(stream)(request)
        after = int(request.url.params["after"])
        return page_of(event_of(after + 1, "SUCCEEDED" if after == 9 else None), done=after == 9)

    service = Service(running, events)
    read = both.ask(lambda c: c.runs.events("run-1"), service, clock=service.clock)
    assert [one.seq for one in read] == list(range(1, 11))
    assert sum(map(is_stream, both.asked)) <= 2


def test_a_server_without_events_gives_changes_of_state_alone(both: Both) -> None:
    failed = run_of(state="FAILED", status_message={"message": "no"})
    states = [run_of(state="QUEUED"), run_of(state="QUEUED"), failed]
    calls: list[Callable[[Any, Any], Any]] = [
        lambda c, told: c.runs.events("run-1", on_states_only=told),
        lambda c, told: c.runs.follow("run-1", on_event=lambda _: 1 / 0, on_states_only=told),
    ]
    for call in calls:
        told: list[int] = []
        answers = in_turn(*(httpx.Response(200, json=one) for one in states))
        service = Service(answers)
        note = partial(told.append, 1)
        ended = both.ask(lambda c: call(c, note), service, clock=service.clock)  # noqa: B023
        assert told == [1]
        shown = [(one.seq, one.data) if isinstance(one, agent_run.RunEvent) else one.state for one in ended]
        assert shown in (["QUEUED", "FAILED"], [(0, {"state": "QUEUED"}), (0, {"state": "FAILED", "message": "no"})])


@pytest.mark.parametrize(
    ("limit", "route", "seconds"),
    [
        ("queue_timeout", lambda _: answer(run_of(state="QUEUED")), 100),
        ("queue_timeout", lambda _: httpx.ConnectError("refused"), 100),
        ("run_timeout", lambda _: answer(run_of(state="BLOCKED")), 100),
        ("stall_timeout", lambda _: answer(run_of()), 100),
        ("timeout", lambda _: answer(run_of(state="ODD")), 0.4),
        ("timeout", lambda _: httpx.ConnectError("refused"), 3),
    ],
)
def test_a_limit_ends_following_after_a_last_look(both: Both, limit: str, route: Route, seconds: float) -> None:
    service = Service(route)
    began = service.clock.time
    with pytest.raises(FollowTimeoutError) as caught:
        both.ask(lambda c: c.runs.wait("run-1", **{limit: seconds}), service, clock=service.clock)
    assert caught.value.limit == {"timeout": "total"}.get(limit, limit.partition("_")[0])
    assert seconds <= service.clock.time - began < seconds + 2.1
    assert service.times["run"][-1] - began >= seconds - 0.01


@pytest.mark.parametrize("ends_after", [150, math.inf])
def test_an_outage_is_no_stall(both: Both, ends_after: float) -> None:
    def run(_: httpx.Request) -> httpx.Response | Exception:
        passed = service.clock.time - began
        if 50 <= passed < 130:
            return httpx.ConnectError("refused")
        return answer(run_of(state="INPROGRESS" if passed < ends_after else "SUCCEEDED"))

    service = Service(run)
    began = service.clock.time
    wait = lambda c: c.runs.wait("run-1", stall_timeout=100)  # noqa: E731
    if ends_after < math.inf:
        assert both.ask(wait, service, clock=service.clock).state == "SUCCEEDED"
        return
    with pytest.raises(FollowTimeoutError) as caught:
        both.ask(wait, service, clock=service.clock)
    # The outage was noticed by a poll up to 15 s late, and so was its end.
    assert caught.value.limit == "stall" and 160 <= service.clock.time - began < 200


def test_an_event_is_activity_although_the_run_shows_no_change(both: Both) -> None:
    def events(request: httpx.Request) -> httpx.Response | Exception:
        service.clock.time += 20
        return counting_events(streams=False)(request)

    service = Service(running, events)
    with pytest.raises(FollowTimeoutError) as caught:
        wait = lambda c: c.runs.wait("run-1", on_event=lambda _: None, stall_timeout=60, timeout=200)  # noqa: E731
        both.ask(wait, service, clock=service.clock)
    assert caught.value.limit == "total"


def test_a_vanished_run_is_lost_and_a_late_one_is_awaited(both: Both) -> None:
    gone = problem(404, "not_found")
    service = Service(in_turn(gone, gone, answer(run_of(state="SUCCEEDED"))))
    assert both.ask(lambda c: c.runs.wait("run-1"), service, clock=service.clock).is_final
    service = Service(in_turn(gone))
    with pytest.raises(RunLostError, match="is not known to the server") as never:
        both.ask(lambda c: c.runs.wait("run-1"), service, clock=service.clock)
    assert never.value.state is None and 10 <= sum(service.clock.slept) < 30
    service = Service(in_turn(*[answer(run_of())] * 5, gone))
    with pytest.raises(RunLostError, match="no longer known") as lost:
        both.ask(lambda c: c.runs.wait("run-1"), service, clock=service.clock)
    assert lost.value.state == "INPROGRESS"
    page = httpx.Response(404, text="<p>")
    service = Service(in_turn(answer(run_of()), page, page, page, answer(run_of(state="FAILED"))))
    assert both.ask(lambda c: c.runs.wait("run-1"), service, clock=service.clock).state == "FAILED"
    service = Service(in_turn(answer(run_of()), httpx.ConnectError("refused")))
    with pytest.raises(agent_run.ConnectionFailedError, match="no good answer for 60 s"):
        both.ask(lambda c: c.runs.wait("run-1", tolerance=60), service, clock=service.clock)
    with pytest.raises(agent_run.AuthenticationError):
        refused = in_turn(answer(run_of()), problem(401, "unauthorized"))
        both.ask(lambda c: c.runs.wait("run-1"), refused, clock=HandClock())


def test_a_blocked_run_is_answered_in_on_run(both: Both) -> None:
    state = {"now": "BLOCKED"}

    def answers(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            state["now"] = "SUCCEEDED"
            return answer({"ok": True})
        return answer(run_of(state=state["now"]))

    seen: list[str] = []

    def wait(client: Any) -> Any:
        async def reply_later(run: agent_run.Run) -> None:
            seen.append(run.state)
            if run.state == "BLOCKED":
                await client.runs.followup(run.run_id, "yes")

        def reply(run: agent_run.Run) -> None:
            seen.append(run.state)
            if run.state == "BLOCKED":
                client.runs.followup(run.run_id, "yes")

        return client.runs.wait("run-1", on_run=reply_later if both.is_async else reply)

    assert both.ask(wait, answers, clock=HandClock()).state == "SUCCEEDED"
    assert seen == ["BLOCKED", "SUCCEEDED"]


def test_events_of_an_ended_run_arrive_before_it_does(both: Both, caplog: pytest.LogCaptureFixture) -> None:
    done = answer(run_of(state="SUCCEEDED", last_seq=3))
    for pages, expected, warned in (
        (page_of(event_of(1), event_of(2), event_of(3, "SUCCEEDED"), done=True), [1, 2, 3], False),
        (page_of(event_of(1)), [1], True),
        (problem(403, "forbidden"), [], True),
    ):
        caplog.clear()
        seen: list[int] = []
        service = Service(in_turn(done), in_turn(pages))
        wait = lambda c, seen=seen: c.runs.wait("run-1", on_event=lambda event: seen.append(event.seq))  # noqa: E731
        assert both.ask(wait, service, clock=service.clock).is_final
        assert seen == expected and bool(caplog.records) == warned
        assert sum(service.clock.slept) < 11


def counting_events(state: str | None = None, streams: bool = True) -> Route:
    """One new event in each answer, after which a stream breaks."""

    def events(request: httpx.Request) -> httpx.Response:
        event = event_of(int(request.url.params["after"]) + 1, state)
        return stream_of(event) if streams and is_stream(request) else page_of(event)

    return events


@pytest.mark.parametrize(
    ("run", "events", "most_runs", "most_events"),
    [
        (running, lambda _: page_of(), 3, 8),
        (running, lambda request: stream_of() if is_stream(request) else page_of(), 3, 9),
        (running, lambda _: problem(500, "internal_error"), 14, 20),
        (running, lambda _: httpx.ConnectError("refused"), 14, 20),
        (running, lambda _: page_of(done=True), 14, 2),
        (running, counting_events(), 14, 190),
        (running, counting_events(streams=False), 3, 125),
        (running, counting_events("INPROGRESS", streams=False), 125, 125),
        (running, None, 10, 0),
        (lambda _: answer(run_of()), None, 14, 0),
        (lambda _: answer(run_of(), etag='"1"'), None, 14, 0),
        (lambda _: problem(503, "resource_unavailable"), None, 20, 0),
        (lambda _: problem(404, "not_found"), None, 20, 0),
    ],
    ids=[
        *("empty pages", "empty streams", "failing events", "refused events", "events done", "breaking streams"),
        *("pages with news", "state events", "no events", "no long polls", "long polls that do not wait"),
        *("unavailable", "missing"),
    ],
)
def test_a_minute_of_following_is_no_busy_loop(
    both: Both, run: Route, events: Route | None, most_runs: int, most_events: int
) -> None:
    service = Service(run, events)
    began = service.clock.time
    given = {"timeout": 60, "stall_timeout": 55, "tolerance": 1000, "not_found_grace": 1000}
    with pytest.raises(FollowTimeoutError):
        both.ask(lambda c: c.runs.wait("run-1", on_event=lambda _: None, **given), service, clock=service.clock)
    assert service.clock.time - began < 62.1
    runs, pages = (len(service.times[kind]) for kind in ("run", "events"))
    assert (runs <= most_runs, pages <= most_events) == (True, True), (runs, pages)
    # Nor shortly before the limit.
    ends = max(service.times["run"])
    late = [at for times in service.times.values() for at in times if ends - 5 < at]
    assert len(late) <= max(5, 5 * (runs + pages) // 60 + 5), late


def test_an_endless_line_or_event_does_not_fill_the_memory() -> None:
    from agent_run._events import PENDING_MAX, ServerSentEvents

    for piece in ("x" * 65536, "data: " + "x" * 65536 + "\n", "\n:" + "x" * 65536):
        reader, fed = ServerSentEvents(), 0
        try:
            while fed < 2 * PENDING_MAX:
                reader.read(piece)
                fed += len(piece)
        except ValueError:
            pass
        assert fed <= PENDING_MAX or piece.startswith("\n")
