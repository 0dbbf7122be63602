"""What each call sends and accepts, with both clients. The network is a function."""

from __future__ import annotations

import asyncio
import copy
import gzip
import json
import logging
import math
import pickle
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timezone
from typing import Any

import httpx
import pytest
from clients import BASE, KEY, Both, HandClock, both  # noqa: F401
from scripted_server import FEATURES, run_of

import agent_run
from agent_run import ConfigurationError

PROBLEM = {"content-type": "application/problem+json"}


def answer(data: Any, status: int = 200, **headers: str) -> httpx.Response:
    given = {**FEATURES, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return httpx.Response(status, json=data, headers=given)


def problem(status: int, code: str, **members: Any) -> httpx.Response:
    body = {"type": f"/errors/{code}", "title": code, "status": status, **members}
    return httpx.Response(status, json=body, headers={**FEATURES, **PROBLEM})


def in_turn(*answers: httpx.Response | Exception) -> Callable[[httpx.Request], httpx.Response]:
    """Gives one answer after the other, then the last one again."""
    left = list(answers)

    def next_answer(_: httpx.Request) -> httpx.Response:
        one = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(one, Exception):
            raise one
        return httpx.Response(one.status_code, content=one.content, headers=one.headers)

    return next_answer


RUN = answer(run_of())
CREATED = answer({"run_id": "run-1", "state": "QUEUED", "warnings": ["config: model was ignored"]})


def test_invalid_options_and_arguments_are_refused_before_anything_is_sent(both: Both) -> None:
    calls: list[tuple[Callable[[Any], Any], str]] = [
        (lambda c: c.runs.retrieve("x", time_out=3), 'unknown name "time_out". Did you mean "timeout"?'),
        (lambda c: c.runs.retrieve("x", timeout="60"), "timeout must be a number of seconds above 0, not a str"),
        (lambda c: c.runs.retrieve("x", timeout=True), "timeout must be a number of seconds above 0, not True"),
        (lambda c: c.runs.retrieve("x", timeout=math.nan), "timeout must be a number"),
        (lambda c: c.runs.retrieve("x", total_timeout=0), "total_timeout must be a number of seconds above 0, not 0"),
        (lambda c: c.runs.retrieve("x", max_retries=-1), "max_retries must be a whole number"),
        (lambda c: c.runs.retrieve("x", headers=[("a", "b")]), "headers must be a mapping"),
        (lambda c: c.runs.retrieve("x", headers={"a b": "c"}), '"a b" has a name or value that cannot be sent'),
        (lambda c: c.runs.retrieve("x", headers={"a": "secret\r\nb: c"}), '"a" has a name or value that cannot'),
        (lambda c: c.runs.retrieve("x", headers={"a": "é"}), '"a" has a name or value that cannot be sent'),
        (lambda c: c.runs.retrieve("x", headers={"Idempotency-Key": "k"}), "use idempotency_key of a call"),
        (lambda c: c.runs.retrieve("x", headers={"Host": "k"}), "httpx sets it itself"),
        (lambda c: c.runs.retrieve("a/b"), "run_id must be a string without slashes"),
        (lambda c: c.runs.retrieve(".."), 'run_id must not be ".." in a URL path'),
        (lambda c: c.runs.retrieve(7), "run_id must be a string without slashes, not 7"),
        (lambda c: c.runs.create("p", promt="q"), 'unknown name "promt"'),
        (lambda c: c.runs.create("p", idempotency_key="a b"), "idempotency_key must be 1 to 255 visible"),
        (lambda c: c.runs.create("p", metadata={"at": datetime.now()}), "the body cannot be sent as JSON"),
        (lambda c: c.runs.create("\ud800"), "the body cannot be sent as JSON"),
        (lambda c: c.runs.list(states="FAILED"), 'unknown name "states". Did you mean "state"?'),
        (lambda c: c.runs.list(state=[]), "state is an empty list, which matches no run"),
        (lambda c: c.runs.wait("x", on_run=3), "on_run must be a function"),
        (lambda c: c.runs.wait("x", cancel_on_interrupt="yes"), "cancel_on_interrupt must be True or False"),
        (lambda c: c.runs.follow("x", stall_timeout=-1), "stall_timeout must be a number of seconds above 0"),
        (lambda c: c.runs.events("x", after=-1), "after must be a whole number"),
        (lambda c: c.request("get", "/agent"), "the method must be one of GET"),
        (lambda c: c.request("GET", "agent"), 'must start with exactly one "/"'),
        (lambda c: c.request("GET", "/a/%2e%2e/b"), 'must not contain a "." or ".." segment'),
        (lambda c: c.request("GET", "/a", body={}), "a GET request cannot have a body"),
        (lambda c: c.request("GET", "/a", as_="xml"), "as_ must be one of json, text, bytes"),
        (lambda c: c.with_options(base_url="x"), 'unknown name "base_url"'),
    ]
    for call, words in calls:
        with pytest.raises(ConfigurationError) as caught:
            both.ask(call, in_turn(RUN))
        assert words in str(caught.value) and "secret" not in str(caught.value)
    clients: list[tuple[dict[str, Any], str]] = [
        ({"base_url": "http://elsewhere.test"}, "the API key would be sent to elsewhere.test over plain HTTP"),
        ({"base_url": "http://elsewhere.test", "allow_http": "no"}, "allow_http must be True or False"),
        ({"base_url": "https://user:pw@x.test"}, "must not contain a user name or password"),
        ({"api_key": "two words"}, "contains a space"),
        ({"max_retries": 1.5}, "max_retries must be a whole number"),
        ({"retries": 1}, 'unknown name "retries"'),
    ]
    for given, words in clients:
        with pytest.raises(ConfigurationError, match=words):
            both.ask(lambda c: c.runs.retrieve("x"), in_turn(RUN), **given)
    assert both.asked == []


def test_a_create_sends_its_body_and_key_and_gives_the_run(both: Both) -> None:
    created = both.ask(
        lambda c: c.runs.create(
            "Why?", title="t", config={"harness": {"name": "claude"}}, lease_seconds=420, team=None,
            metadata={"a": "b"}, extra_body={"newer": [1]}, idempotency_key="k-1", source="CLI", timeout=30,
        ),
        in_turn(CREATED),
    )  # fmt: skip
    (request,) = both.asked
    assert json.loads(request.content) == {
        **{"prompt": "Why?", "title": "t", "config": {"harness": {"name": "claude"}}, "lease_seconds": 420},
        **{"metadata": {"a": "b"}, "newer": [1]},
    }
    assert request.headers["idempotency-key"] == "k-1" and request.headers["x-agent-run-source"] == "CLI"
    assert request.headers["authorization"] == f"Bearer {KEY}" and request.headers["x-retry-count"] == "0"
    assert request.headers["user-agent"] == f"agent-run-python/{agent_run.__version__}"
    assert (created.run_id, created.state, created.warnings) == ("run-1", "QUEUED", ("config: model was ignored",))
    both.ask(lambda c: c.runs.create(skill="o/r:s"), in_turn(CREATED))
    both.ask(lambda c: c.runs.create(skill="o/r:s"), in_turn(CREATED))
    keys = [one.headers["idempotency-key"] for one in both.asked]
    assert len(set(keys)) == 3 and json.loads(both.asked[1].content) == {"skill": "o/r:s"}


DATE = "Thu, 31 Jan 2030 10:00:00 GMT"
NO_RUNS: dict[str, Any] = {"runs": [], "page_info": {}}
LOST = httpx.RemoteProtocolError("lost")


@pytest.mark.parametrize(
    ("answers", "ends", "creates"),
    [
        ([httpx.ConnectError("refused"), CREATED], "run-1", 2),
        ([LOST, answer(NO_RUNS), CREATED], "run-1", 2),
        ([httpx.Response(502, text="<p>bad gateway"), answer(NO_RUNS), CREATED], "run-1", 2),
        ([LOST, httpx.Response(200, json=NO_RUNS, headers={"date": DATE})], "StartUnknownError", 1),
        ([LOST, httpx.Response(404, text="not here")], "StartUnknownError", 1),
        ([httpx.ReadTimeout("slow"), LOST], "StartUnknownError", 1),
        ([httpx.Response(302, headers={"location": "/login"})], "UnexpectedResponseError", 1),
        ([problem(400, "invalid_request", retryable=False)], "BadRequestError", 1),
        ([problem(503, "resource_unavailable"), CREATED], "run-1", 2),
    ],
)
def test_a_create_is_never_repeated_blindly(
    both: Both, answers: list[httpx.Response | Exception], ends: str, creates: int
) -> None:
    try:
        ended = both.ask(lambda c: c.runs.create("p"), in_turn(*answers), clock=HandClock()).run_id
    except agent_run.AgentRunsError as error:
        ended = type(error).__name__
    assert ended == ends
    posts = [one for one in both.asked if one.method == "POST"]
    assert len(posts) == creates and len({one.headers["idempotency-key"] for one in posts}) == 1


def test_a_list_gives_a_page_or_all_runs(both: Both) -> None:
    def pages(request: httpx.Request) -> httpx.Response:
        cursor = request.url.params.get("cursor")
        number = int(cursor or 0)
        info = {"has_next_page": number < 2, "next_cursor": str(number + 1)}
        return answer({"runs": [run_of(f"run-{number}")], "page_info": info})

    at = datetime(2030, 1, 31, 10, tzinfo=timezone.utc)
    filters = {"state": ["FAILED", "ERROR"], "metadata": {"team": "shop"}, "created_after": at, "name": None}
    page = both.ask(lambda c: c.runs.list(**filters), pages)
    assert [run.run_id for run in page.runs] == ["run-0"] and page.has_next_page()
    query = "state=FAILED&state=ERROR&metadata%5Bteam%5D=shop&created_after=2030-01-31T10%3A00%3A00Z"
    assert both.asked[0].url.query.decode() == query

    def every(client: Any) -> Any:
        if not both.is_async:
            first = client.runs.list(state="FAILED")
            return [[run.run_id for run in first], first.get_next_page().runs[0].run_id]

        async def read() -> Any:
            first = await client.runs.list(state="FAILED")
            later = (await first.get_next_page()).runs[0].run_id
            awaited = [run.run_id async for run in first]
            assert awaited == [run.run_id async for run in client.runs.list(state="FAILED")]
            return [awaited, later]

        return read()

    assert both.ask(every, pages) == [["run-0", "run-1", "run-2"], "run-1"]
    assert all(one.url.params["state"] == "FAILED" for one in both.asked[1:])


def test_members_of_another_kind_are_none_and_unknown_ones_stay_in_raw(both: Both) -> None:
    odd = run_of(title=None, result={"text": 7}, artifacts=[{"artifact_type": "PLAN", "data": {}}, 3], attempt="1",
                 status_message="no", agent_config={"skills": ["a", 2]}, newer={"a": 1}, last_seq=True)  # fmt: skip
    run = both.ask(lambda c: c.runs.retrieve("RUN-1"), in_turn(answer(odd)))
    assert (run.title, run.attempt, run.status_message, run.last_seq) == ("", None, None, None)
    assert run.result.text == "" and [one.artifact_type for one in run.artifacts] == ["PLAN"]
    assert run.agent_config.skills == ("a",) and run.raw["newer"] == {"a": 1} and not run.is_final
    assert pickle.loads(pickle.dumps(run)) == run == copy.deepcopy(run) and "newer" not in repr(run)
    with pytest.raises(AttributeError):
        run.state = "FAILED"


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (answer(run_of("run-2")), "is JSON, but not what this service sends"),
        (answer([]), "is JSON, but not what this service sends"),
        (httpx.Response(200, text="<html>Sign in", headers={"content-type": "text/html"}), "is not JSON"),
        (httpx.Response(200, text='{"run_id": "ru', headers={"content-type": "application/json"}), "truncated"),
        (httpx.Response(200, text="[" * 100_000, headers={"content-type": "application/json"}), "truncated"),
        (httpx.Response(204), "has no body"),
        (httpx.Response(307, headers={"location": "https://a.test/?token=b"}), "redirects to https://a.test, which"),
        (httpx.Response(304), "is not an answer to this request"),
    ],
)
def test_a_response_of_another_service_is_an_error(both: Both, response: httpx.Response, words: str) -> None:
    with pytest.raises(agent_run.UnexpectedResponseError) as caught:
        both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(response), max_retries=0)
    assert words in str(caught.value) and "token" not in str(caught.value)


def test_a_redirect_to_nowhere_is_an_error_of_the_client(both: Both) -> None:
    # Newer versions of httpx refuse it themselves.
    with pytest.raises(agent_run.AgentRunsError):
        both.ask(
            lambda c: c.runs.retrieve("run-1", max_retries=0),
            in_turn(httpx.Response(302, headers={"location": "http://[::1"})),
        )


def test_a_cancel_whose_first_answer_was_lost_succeeds_if_the_run_is_canceled(both: Both) -> None:
    ended = problem(400, "run_ended")
    for state in ("CANCELLED", "FAILED"):
        answers = in_turn(LOST, ended, answer(run_of(state=state)))
        try:
            given = both.ask(lambda c: c.runs.cancel("run-1", reason="r"), answers, clock=HandClock())
        except agent_run.BadRequestError:
            given = None
        assert given == ("run-1" if state == "CANCELLED" else None)
    with pytest.raises(agent_run.BadRequestError):
        both.ask(lambda c: c.runs.cancel("run-1"), in_turn(ended))
    assert [one.content for one in both.asked if one.method == "POST"] == [b'{"reason":"r"}'] * 4 + [b"{}"]


def test_a_followup_is_retried_after_a_lost_answer_only_with_a_key(both: Both) -> None:
    send = lambda c: c.runs.followup("run-1", "yes", idempotency_key="k", mode="plan")  # noqa: E731
    both.ask(send, in_turn(LOST, answer({"ok": 1})), clock=HandClock())
    assert [json.loads(one.content) for one in both.asked] == [{"message": "yes", "mode": "plan"}] * 2
    with pytest.raises(agent_run.ConnectionFailedError):
        both.ask(lambda c: c.runs.followup("run-1", "yes"), in_turn(LOST, answer({})), clock=HandClock())
    assert len(both.asked) == 3


def test_leases_and_results_say_what_a_server_lacks(both: Both) -> None:
    lease = both.ask(lambda c: c.runs.renew_lease("run-1", 60), in_turn(answer({"lease_expires_at": "T"})))
    assert lease.lease_expires_at == "T" and json.loads(both.asked[0].content) == {"lease_seconds": 60}
    assert both.ask(lambda c: c.runs.release_lease("run-1"), in_turn(answer({}))) is None
    old = httpx.Response(404, json={"error": "not found"})
    for call, feature in (
        (lambda c: c.runs.renew_lease("run-1", 60), "lease"),
        (lambda c: c.runs.release_lease("run-1"), "lease"),
    ):
        with pytest.raises(agent_run.FeatureUnavailableError) as caught:
            both.ask(call, in_turn(old))
        assert caught.value.feature == feature
    full = httpx.Response(200, text="all of it", headers={**FEATURES, "agent-run-result-bytes": "9"})
    read = lambda c: c.runs.result("run-1")  # noqa: E731
    assert both.ask(read, in_turn(full)) == "all of it"
    cut = httpx.Response(200, text="all of", headers={**FEATURES, "agent-run-result-bytes": "9"})
    assert both.ask(read, in_turn(cut, full), clock=HandClock()) == "all of it"
    old_run = {"content-type": "application/json"}
    whole = httpx.Response(200, json=run_of(result={"text": "short"}), headers=old_run)
    part = httpx.Response(200, json=run_of(result={"text": "sho", "truncated": True}), headers=old_run)
    assert both.ask(read, in_turn(old, whole)) == "short"
    for run, words in ((part, "only the first part"), (httpx.Response(200, json=run_of()), "no result")):
        with pytest.raises(agent_run.FeatureUnavailableError, match=words):
            both.ask(read, in_turn(old, run))
    with pytest.raises(agent_run.NotFoundError) as missing:
        both.ask(read, in_turn(problem(404, "no_result")))
    assert missing.value.code == "no_result"


def test_a_download_sends_neither_key_nor_headers_to_the_other_host(both: Both) -> None:
    def answers(request: httpx.Request) -> httpx.Response:
        if request.url.host == "files.test":
            is_moved = "moved" in request.url.path
            return httpx.Response(302 if is_moved else 200, headers={"location": "/x"}, content=b"\x00\xff")
        path = "moved" if request.url.path.endswith("moved") else "file"
        data = {} if request.url.path.endswith("plan") else {"download_url": f"https://files.test/{path}?sig=s3cret"}
        return answer({"artifact_uid": "a", "artifact_type": "FILE", "created_at": "T", "data": data})

    headers = {"x-tenant": "t-1"}
    assert both.ask(lambda c: c.artifacts.download("a"), answers, headers=headers) == b"\x00\xff"
    ours, theirs = both.asked
    assert ours.headers["x-tenant"] == "t-1" and str(theirs.url) == "https://files.test/file?sig=s3cret"
    assert not {"authorization", "x-tenant"} & set(theirs.headers) and theirs.headers["host"] == "files.test"
    with pytest.raises(agent_run.UnexpectedResponseError, match="which is not followed") as caught:
        both.ask(lambda c: c.artifacts.download("moved"), answers)
    assert "s3cret" not in str(caught.value)
    with pytest.raises(agent_run.AgentRunsError, match="is not a file"):
        both.ask(lambda c: c.artifacts.download("plan"), answers)
    found = both.ask(lambda c: c.artifacts.retrieve("a"), answers)
    assert found.data["download_url"].startswith("https://files.test/file")


def test_the_agent_lists_skills_and_environments(both: Both) -> None:
    skills = answer({"agents": [{"name": "s", "variants": [{"id": "o/r:s/SKILL.md", "environments": []}]}]})
    (skill,) = both.ask(lambda c: c.agent.list(repo="o/r", refresh=True), in_turn(skills))
    assert skill.variants[0].id == "o/r:s/SKILL.md" and both.asked[0].url.query == b"repo=o%2Fr&refresh=true"
    rooms = answer({"environments": [{"uid": "e", "config": {"name": "n"}}]})
    assert both.ask(lambda c: c.agent.list_environments(), in_turn(rooms))[0].uid == "e"
    with pytest.raises(agent_run.UnexpectedResponseError):
        both.ask(lambda c: c.agent.list(), in_turn(rooms))


def test_requests_copies_and_raw_responses(both: Both) -> None:
    asked = in_turn(answer({"a": 1}, x_request_id="r-1"))
    assert both.ask(lambda c: c.request("POST", "/agent/x?b=1", body=[1], query={"c": True}), asked) == {"a": 1}
    assert both.asked[0].url.query == b"b=1&c=true" and both.asked[0].content == b"[1]"
    bytes_of = lambda c: c.request("GET", "/agent/x", as_="bytes")  # noqa: E731
    assert both.ask(bytes_of, in_turn(httpx.Response(200, content=b"\xff"))) == b"\xff"
    assert both.ask(lambda c: c.request("DELETE", "/agent/x"), in_turn(httpx.Response(204))) is None
    copy_of = lambda c: c.with_options(timeout=5, headers={"x-a": "1"}).runs.retrieve("run-1")  # noqa: E731
    assert both.ask(copy_of, in_turn(RUN)).run_id == "run-1" and both.asked[-1].headers["x-a"] == "1"
    raw_of = lambda c: c.runs.with_raw_response.retrieve("run-1")  # noqa: E731
    raw = both.ask(raw_of, in_turn(answer(run_of(), x_request_id="r-1")))
    assert (raw.status_code, raw.request_id) == (200, "r-1")
    assert raw.json()["run_id"] == raw.parse().run_id == "run-1"
    assert json.loads(raw.text) == json.loads(raw.content) and "agent-run-features" in raw.headers
    made = both.ask(lambda c: c.runs.with_raw_response.create("p"), in_turn(CREATED))
    assert made.parse().run_id == "run-1" and KEY not in repr(made)


def test_a_key_function_is_asked_before_the_key_expires_and_once_after_a_401(both: Both) -> None:
    clock = HandClock()
    given: list[str] = []

    def next_key() -> agent_run.ApiKey:
        given.append(f"key-{len(given)}")
        return agent_run.ApiKey(given[-1], expires_in=100)

    async def next_key_later() -> agent_run.ApiKey:
        await asyncio.sleep(0)
        return next_key()

    def calls(client: Any) -> Any:
        async def each() -> None:
            for seconds in (0, 50, 39, 2):
                clock.time += seconds
                await client.runs.retrieve("run-1")

        if both.is_async:
            return each()
        for seconds in (0, 50, 39, 2):
            clock.time += seconds
            client.runs.retrieve("run-1")

    both.ask(calls, in_turn(RUN), api_key=next_key_later if both.is_async else next_key, clock=clock)
    assert [one.headers["authorization"][7:] for one in both.asked] == ["key-0", "key-0", "key-0", "key-1"]
    both.asked.clear()
    refused = problem(401, "unauthorized")
    both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(refused, RUN), api_key=next_key)
    assert [one.headers["authorization"][7:] for one in both.asked] == ["key-2", "key-3"]
    both.asked.clear()
    with pytest.raises(agent_run.AuthenticationError):
        both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(refused), api_key=next_key)
    assert len(both.asked) == 2


def test_a_failing_key_function_is_an_error_without_the_key(both: Both) -> None:
    def fail() -> str:
        raise OSError(f"token service said no to {KEY}")

    answers = in_turn(RUN)
    with pytest.raises(agent_run.ApiKeyError) as caught:
        retrieve = lambda c: c.runs.retrieve("run-1", headers={"x-api-key": KEY})  # noqa: E731
        both.ask(retrieve, answers, api_key=fail, clock=HandClock())
    assert caught.value.retryable and "token service said no to ***" in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    for value in ("two words", "", 7, agent_run.ApiKey("k", expires_in=0)):
        with pytest.raises(agent_run.ApiKeyError, match="it must return a key") as caught:
            both.ask(lambda c: c.runs.retrieve("run-1"), answers, api_key=lambda value=value: value)
        assert not caught.value.retryable
    assert both.asked == []


def test_an_awaited_key_is_shared_by_concurrent_calls_and_bounded_in_time() -> None:
    both, asked = Both(True), []

    async def key() -> str:
        asked.append(1)
        await asyncio.sleep(0.02)
        return KEY

    def gather(client: Any) -> Any:
        return asyncio.wait_for(asyncio.gather(*(client.runs.retrieve("run-1") for _ in range(20))), 5)

    both.ask(gather, in_turn(RUN), api_key=key)
    assert len(asked) == 1
    clients: list[Any] = []

    async def key_from_the_client() -> str:
        return str(await clients[0].runs.retrieve("run-1"))

    def ask(client: Any) -> Any:
        clients.append(client)
        return asyncio.wait_for(client.runs.retrieve("run-1", timeout=0.2, max_retries=0), 5)

    with pytest.raises(agent_run.ApiKeyError, match="must not call this client"):
        both.ask(ask, in_turn(RUN), api_key=key_from_the_client)


def test_an_async_function_is_refused_by_the_blocking_client() -> None:
    async def later(*_: object) -> str:
        return KEY

    with pytest.raises(ConfigurationError, match="use AsyncAgentRuns"):
        Both(False).ask(lambda c: c.runs.retrieve("run-1"), in_turn(RUN), api_key=later)
    with pytest.raises(ConfigurationError, match="use AsyncAgentRuns"):
        Both(False).ask(lambda c: c.runs.wait("run-1", on_run=later), in_turn(RUN))


def test_retries_back_off_and_end_with_the_retries_or_the_total_time(both: Both) -> None:
    down = httpx.Response(500, json={})
    for options, sent, slept in (
        ({}, 5, (0.25 + 0.5 + 1 + 2, 0.5 + 1 + 2 + 4)),
        ({"max_retries": 1}, 2, (0.25, 0.5)),
        ({"total_timeout": 1.0}, None, (0.25, 1)),
        ({"max_retries": 50, "total_timeout": 100}, None, (80, 100)),
    ):
        clock = HandClock()
        noted: list[Exception] = []
        before = len(both.asked)
        with pytest.raises(agent_run.InternalServerError):
            both.ask(lambda c: c.runs.retrieve("run-1", **options, on_retry=noted.append), in_turn(down), clock=clock)
        assert slept[0] <= sum(clock.slept) <= slept[1]
        counts = [int(one.headers["x-retry-count"]) for one in both.asked[before:]]
        assert counts == list(range(len(noted) + 1)) and sent in (None, len(counts))

    clock, busy = HandClock(), problem(429, "rate_limited")
    busy.headers["retry-after"] = "7"
    both.asked.clear()
    both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(*[busy] * 10, RUN), clock=clock, on_retry=lambda _: 1 / 0)
    assert len(both.asked) == 11 and all(7 <= seconds <= 7.5 for seconds in clock.slept)


def test_no_key_reaches_a_message_a_log_line_a_traceback_or_a_repr(
    both: Both, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "agent_run")
    prompt = "Paint the bike shed."
    echo = problem(403, "forbidden", detail=f"Bearer {KEY} may not", issues=[{"path": "a", "message": KEY}])
    echo.headers["x-echo"] = KEY
    down = problem(500, "internal_error", detail=f"{prompt} {KEY}")
    page = httpx.Response(200, text=f"<p>{prompt} {KEY}", headers={"content-type": "text/html", "x-request-id": KEY})
    moved = httpx.Response(302, headers={"location": f"https://{KEY}.test/"})
    cut = httpx.Response(200, text=f'{{"prompt": "{prompt} {KEY}', headers={"content-type": "application/json"})
    broken = httpx.RemoteProtocolError(f"illegal header {prompt} {KEY}")
    broken.__cause__ = ValueError(f"illegal header {KEY}")
    calls: list[Callable[[Any], Any]] = [
        lambda c: c.runs.retrieve("run-1"),
        lambda c: c.runs.create(prompt),
        lambda c: c.request("GET", f"/agent/{KEY}"),
    ]
    answers: list[httpx.Response | Exception] = [echo, down, page, moved, cut, broken]
    for one in answers:
        for call in calls:
            try:
                both.ask(call, in_turn(one), clock=HandClock())
            except agent_run.AgentRunsError as error:
                seen = "".join(traceback.format_exception(error)) + repr(error)
                seen += repr(vars(error)) + str(getattr(error, "headers", ""))
                assert KEY not in seen.replace(f'"/agent/{KEY}"', "").replace("{KEY}", "")
    for client in (agent_run.AgentRuns, agent_run.AsyncAgentRuns):
        assert KEY not in repr(client(base_url=BASE, api_key=KEY)) + str(client(base_url=BASE, api_key=KEY))
    assert "GET /agent/runs/run-1" in caplog.text and KEY not in caplog.text and prompt not in caplog.text


class EndlessBody(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Counts the pieces that are read. It ends, so that a test that reads all of it fails."""

    def __init__(self) -> None:
        self.pieces = 0

    def __iter__(self) -> Iterator[bytes]:
        while self.pieces < 1000:
            self.pieces += 1
            yield bytes(100)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def test_no_body_fills_the_memory(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_run._io.BODY_BYTES_MAX", 1000)
    small = gzip.compress(bytes(1001))
    calls: list[Callable[[Any], Any]] = [
        lambda c: c.runs.retrieve("run-1"),
        lambda c: c.runs.result("run-1"),
        lambda c: c.request("GET", "/agent/x", as_="bytes"),
    ]
    for call in calls:
        for status in (200, 500):
            body = EndlessBody()
            with pytest.raises(agent_run.UnexpectedResponseError, match="is longer than 1000 bytes"):
                both.ask(call, lambda _: httpx.Response(status, stream=body))  # noqa: B023
            assert body.pieces <= 11
        packed = httpx.Response(200, stream=httpx.ByteStream(small), headers={"content-encoding": "gzip"})
        with pytest.raises(agent_run.UnexpectedResponseError, match="is compressed"):
            both.ask(call, lambda _: packed)  # noqa: B023


def test_errors_can_be_pickled(both: Both) -> None:
    refused: list[httpx.Response | Exception] = [
        problem(400, "invalid_request", detail="no"),
        httpx.Response(200, text="x"),
        httpx.ConnectError("refused"),
    ]
    for one in refused:
        with pytest.raises(agent_run.AgentRunsError) as caught:
            both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(one), clock=HandClock())
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value) and str(again) == str(caught.value)
        assert {name: value for name, value in vars(again).items() if name != "headers"} == {
            name: value for name, value in vars(caught.value).items() if name != "headers"
        }
    lost = agent_run.StartUnknownError("k", ValueError("v"))
    assert copy.copy(lost).idempotency_key == "k"


def test_without_a_configured_logger_only_warnings_are_printed(both: Both, capfd: pytest.CaptureFixture[str]) -> None:
    log, handlers = logging.getLogger("agent_run"), logging.getLogger().handlers[:]
    assert log.handlers == [] and log.level == logging.NOTSET
    logging.getLogger().handlers.clear()
    try:
        both.ask(lambda c: c.runs.retrieve("run-1"), in_turn(LOST, RUN), clock=HandClock())
        assert capfd.readouterr().err == ""
        odd = in_turn(answer(run_of(state="ODD")), answer(run_of(state="FAILED")))
        both.ask(lambda c: c.runs.wait("run-1"), odd, clock=HandClock())
        assert 'unknown state "ODD"' in capfd.readouterr().err
    finally:
        logging.getLogger().handlers.extend(handlers)


def test_a_client_closes_only_what_it_owns(both: Both) -> None:
    if not both.is_async:
        http = httpx.Client(transport=httpx.MockTransport(in_turn(RUN)))
        with agent_run.AgentRuns(base_url=BASE, api_key=KEY, http_client=http) as client:
            client.with_options(timeout=1).close()
        assert not http.is_closed
        own = agent_run.AgentRuns(base_url=BASE, api_key=KEY)
        own.with_options(timeout=1).close()
        assert not own._http.is_closed
        own.close()
        assert own._http.is_closed
        return

    async def main() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(in_turn(RUN)))
        async with agent_run.AsyncAgentRuns(base_url=BASE, api_key=KEY, http_client=http) as client:
            await client.with_options(timeout=1).aclose()
        assert not http.is_closed
        async with agent_run.AsyncAgentRuns(base_url=BASE, api_key=KEY) as own:
            await own.with_options(timeout=1).aclose()
            assert not own._http.is_closed
        assert own._http.is_closed

    asyncio.run(main())


def test_a_key_that_json_spells_in_another_way_is_redacted(both: Both) -> None:
    key = "key-0123456789/abc="
    spelled = key.replace("/", "\\/").replace("=", "\\u003d")
    body = f'{{"type": "/errors/forbidden", "detail": "Bearer {spelled} may not"}}'
    answer = httpx.Response(403, text=body, headers={"content-type": "application/problem+json"})
    with pytest.raises(agent_run.PermissionDeniedError) as caught:
        both.ask(lambda c: c.runs.retrieve("run-1"), lambda _: answer, api_key=key)
    shown = f"{caught.value} {caught.value.detail} {caught.value.body}"
    assert "Bearer *** may not" in shown and key not in shown


def test_an_api_key_function_cannot_use_its_own_client() -> None:
    def read_key() -> str:
        return client.runs.retrieve("run-1").state

    with agent_run.AgentRuns(base_url=BASE, api_key=read_key) as client:
        with pytest.raises(agent_run.ConfigurationError, match="must not use the client that calls it"):
            client.runs.retrieve("run-1")


def test_headers_that_are_not_ascii_stay_in_the_error(both: Both) -> None:
    via = [(b"via", "1.1 b\u00fcro".encode())]
    problem = httpx.Response(404, json={"type": "/errors/resource_not_found"}, headers=via)
    with pytest.raises(agent_run.NotFoundError) as caught:
        both.ask(lambda c: c.runs.retrieve("run-1"), lambda _: problem)
    assert caught.value.headers["via"] == "1.1 b\u00fcro"
    response = caught.value.response
    assert (response.status_code, response.json()["type"]) == (404, "/errors/resource_not_found")


def test_a_download_asks_for_no_compression_and_an_http_client_may_sign(both: Both) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept-encoding"] == "identity"
        if request.url.host == "files.test":
            return httpx.Response(200, content=b"kept")
        details = {"artifact_uid": "a", "artifact_type": "FILE", "data": {"download_url": "https://files.test/a"}}
        return httpx.Response(200, json=details)

    assert both.ask(lambda c: c.artifacts.download("a"), answer) == b"kept"

    class Signs(httpx.Auth):
        def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
            request.headers["signature"] = "signed"
            yield request

    def signed(request: httpx.Request) -> httpx.Response:
        assert request.headers["signature"] == "signed"
        return httpx.Response(200, json=run_of())

    http = httpx.Client(transport=httpx.MockTransport(signed), auth=Signs())
    with agent_run.AgentRuns(base_url=BASE, api_key=KEY, http_client=http) as client:
        assert client.runs.retrieve("run-1").run_id == "run-1"
