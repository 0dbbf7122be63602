"""Creates whose outcome is unknown. test/vectors has more of them."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from clients import Both, HandClock, both  # noqa: F401
from scripted_server import run_of
from test_calls import CREATED, DATE, LOST, NO_RUNS, answer, in_turn, problem

from agent_run import ApiKey, StartUnknownError


def list_of(*run_ids: str) -> httpx.Response:
    """A list of a service without idempotency keys."""
    runs = [run_of(run_id) for run_id in run_ids]
    return httpx.Response(200, json={"runs": runs, "page_info": {}}, headers={"date": DATE})


def test_a_search_never_returns_the_run_of_another_create(both: Both) -> None:
    # Clients of the same host share what they know.
    service = {"base_url": f"https://{both.is_async}.taken.test", "clock": HandClock()}

    def start(*answers: httpx.Response | Exception) -> str | None:
        try:
            run_id: str = both.ask(lambda c: c.runs.create("p"), in_turn(*answers), **service).run_id
        except StartUnknownError:
            return None
        return run_id

    assert start(CREATED) == "run-1"
    assert start(LOST, list_of("run-1")) is None
    assert start(LOST, list_of("run-1", "run-2")) == "run-2"
    assert start(LOST, list_of("run-1", "run-2")) is None
    request = lambda c: c.request("POST", "/agent/runs", body={"prompt": "p"})  # noqa: E731
    both.ask(request, in_turn(answer({"run_id": "run-3", "state": "QUEUED"})), **service)
    assert start(LOST, list_of("run-1", "run-2", "run-3")) is None


class Keys:
    """A key function whose keys expire in 90 s, and answers of which the first takes longer."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.clock = HandClock()
        self.count = 0
        self.sent: list[str] = []
        self._answers = in_turn(*answers)

    def next_key(self) -> ApiKey:
        self.count += 1
        return ApiKey(f"key-{self.count}", expires_in=90)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.clock.time += 0 if self.sent else 100
        self.sent.append(request.headers["authorization"].removeprefix("Bearer "))
        return self._answers(request)


@pytest.mark.parametrize("failure", [LOST, httpx.Response(404, text="<p>")], ids=["lost", "page"])
def test_a_repeated_create_uses_the_same_api_key_although_it_has_expired(
    both: Both, failure: httpx.Response | Exception
) -> None:
    keys = Keys(failure, answer(NO_RUNS), CREATED)
    options = {"api_key": keys.next_key, "clock": keys.clock}
    assert both.ask(lambda c: c.runs.create("p"), keys, **options).run_id == "run-1"
    assert keys.sent == ["key-1", "key-2", "key-1"]

    keys = Keys(failure, answer(NO_RUNS), problem(401, "unauthorized"))
    options = {"api_key": keys.next_key, "clock": keys.clock}
    with pytest.raises(StartUnknownError, match="401"):
        both.ask(lambda c: c.runs.create("p"), keys, **options)
    assert keys.sent == ["key-1", "key-2", "key-1"]


def test_a_repeated_followup_uses_the_same_api_key_and_a_repeated_read_a_new_one(both: Both) -> None:
    keys = Keys(LOST, answer({"ok": True}))
    send = lambda c: c.runs.followup("run-1", "yes", idempotency_key="k")  # noqa: E731
    both.ask(send, keys, api_key=keys.next_key, clock=keys.clock)
    assert keys.sent == ["key-1", "key-1"]
    keys = Keys(LOST, answer(run_of()))
    both.ask(lambda c: c.runs.retrieve("run-1"), keys, api_key=keys.next_key, clock=keys.clock)
    assert keys.sent == ["key-1", "key-2"]


class FailingClock(HandClock):
    """Its first sleep fails."""

    def __init__(self, failure: BaseException) -> None:
        super().__init__()
        self._failures = [failure]

    def sleep(self, seconds: float) -> None:
        if self._failures:
            raise self._failures.pop()
        super().sleep(seconds)


def test_only_a_create_that_left_may_have_started_a_run(both: Both) -> None:
    refused = httpx.ConnectError("refused")
    for failure, has_left in ((refused, False), (LOST, True)):
        stop = asyncio.CancelledError() if both.is_async else KeyboardInterrupt()
        with pytest.raises(type(stop)):
            both.ask(lambda c: c.runs.create("p"), in_turn(failure), clock=FailingClock(stop))
        assert ("the run may have been started" in str(stop.args)) == has_left
    both.asked.clear()
    with pytest.raises(OSError, match="no sleep"):
        answers = in_turn(refused, answer(NO_RUNS), CREATED)
        both.ask(lambda c: c.runs.create("p"), answers, clock=FailingClock(OSError("no sleep")))
    assert both.paths == ["POST /agent/runs"]


@pytest.mark.parametrize(
    "later",
    [(problem(500, "internal_error"),), (answer(NO_RUNS), LOST), (list_of(), problem(500, "internal_error"))],
    ids=["question", "repeated create", "search"],
)
def test_total_timeout_limits_a_create_with_all_that_settles_it(
    both: Both, later: tuple[httpx.Response | Exception, ...]
) -> None:
    clock, next_answer = HandClock(), in_turn(LOST, *later)
    began = clock.time

    def answers(request: httpx.Request) -> httpx.Response:
        clock.time += 1 if len(both.asked) > 1 else 6
        return next_answer(request)

    with pytest.raises(StartUnknownError):
        both.ask(lambda c: c.runs.create("p", total_timeout=10, max_retries=100), answers, clock=clock)
    assert 8 < clock.time - began <= 11
