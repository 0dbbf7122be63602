"""Runs the vectors that the TypeScript client's tests run too. test/vectors/README.md describes them."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Any

import agent_run
import httpx
import pytest
from agent_run import AgentRuns, AgentRunsError, ApiError, AsyncAgentRuns, ConfigurationError
from agent_run._errors import api_error
from agent_run._events import ServerSentEvents
from agent_run._retry import is_proxy_answer, is_service_answer, judge, may_be_done, retry_delay
from agent_run._skills import SkillSpecError, parse_skill_spec

FOLDER = Path(__file__).resolve().parents[2] / "test" / "vectors"

BOTH = pytest.mark.parametrize("client_class", [AgentRuns, AsyncAgentRuns])


def read(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def vectors(name: str) -> pytest.MarkDecorator:
    cases = read(name)["cases"]
    return pytest.mark.parametrize(
        ("given", "expected"),
        [(case["given"], case["expected"]) for case in cases],
        ids=[case["name"] for case in cases],
    )


def class_name(error: BaseException) -> str:
    """The name of the same class in TypeScript."""
    name = type(error).__name__
    return "ConnectionError" if name == "ConnectionFailedError" else name


class SkippingClock:
    """Sleeps take no time, but advance it."""

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return datetime(2030, 1, 1, tzinfo=timezone.utc).timestamp() + self.passed

    def monotonic(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        self.passed += seconds

    async def asleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.passed += seconds


def answer_of(given: dict[str, Any]) -> ApiError:
    return api_error(
        given.get("method", "GET"),
        "/agent/runs",
        given["status"],
        httpx.Headers(given.get("headers")),
        given.get("body"),
    )


def failure_of(given: dict[str, Any]) -> BaseException:
    [(kind, facts)] = given.items()
    if kind == "answer":
        return answer_of(facts)
    if kind == "connection":
        return agent_run.ConnectionFailedError(
            "", host="a.example.com", fault=facts["fault"], never_left=facts["neverLeft"]
        )
    if kind == "unexpected":
        return agent_run.UnexpectedResponseError(
            "GET", "/agent/runs", 200, httpx.Headers(), text="", why="", cut=facts["cut"]
        )
    if kind == "apiKey":
        return agent_run.ApiKeyError("", retryable=facts["retryable"])
    return TypeError("") if facts == "unforeseen" else AgentRunsError("")


@vectors("retry-decisions")
def test_retry_decisions(given: dict[str, Any], expected: dict[str, Any]) -> None:
    failure = failure_of(given)
    decided: dict[str, Any] = {"verdict": judge(failure), "mayBeDone": may_be_done(failure)}
    if isinstance(failure, ApiError):
        decided["isProxyAnswer"] = is_proxy_answer(failure)
        decided["isServiceAnswer"] = is_service_answer(failure)
    assert decided == expected


@vectors("retry-delays")
def test_retry_delays(given: dict[str, Any], expected: dict[str, Any]) -> None:
    lost = {"connection": {"fault": "closed", "neverLeft": False}}
    failure = failure_of({"answer": {"status": 503, **given}} if "headers" in given else lost)
    random = float(given["random"])
    seconds = retry_delay(failure, given["attempt"], SkippingClock().now(), lambda: random)
    assert seconds == pytest.approx(expected["ms"] / 1000)


@vectors("errors")
def test_errors(given: dict[str, Any], expected: dict[str, Any]) -> None:
    error = answer_of(given)
    assert class_name(error) == expected["name"]
    assert str(error) == expected["message"]
    assert [{"path": issue.path, "message": issue.message} for issue in error.issues] == expected.get("issues", [])
    assert error.is_proxy_response == expected.get("isProxyResponse", False)
    said = {
        "code": error.code,
        "title": error.title,
        "detail": error.detail,
        "requestId": error.request_id,
        "retryable": error.retryable,
    }
    assert said == {name: expected.get(name) for name in said}


@vectors("skill-specs")
def test_skill_specs(given: dict[str, Any], expected: dict[str, Any]) -> None:
    if "message" in expected:
        with pytest.raises(SkillSpecError) as caught:
            parse_skill_spec(given["text"])
        assert str(caught.value) == expected["message"]
    else:
        spec = parse_skill_spec(given["text"])
        parts = {"owner": spec.owner, "repo": spec.repo, "name": spec.name, "path": spec.path}
        assert parts == {name: expected.get(name) for name in parts}


@vectors("server-sent-events")
def test_server_sent_events(given: dict[str, Any], expected: dict[str, Any]) -> None:
    events = ServerSentEvents()
    assert [message for chunk in given["chunks"] for message in events.read(chunk)] == expected["messages"]


def create_client(client_class: type[Any], handler: Any, **options: Any) -> Any:
    transport = httpx.MockTransport(handler)
    http_class = httpx.Client if client_class is AgentRuns else httpx.AsyncClient
    options.setdefault("clock", SkippingClock())
    return client_class(http_client=http_class(transport=transport), **options)


def complete(answer: Any) -> Any:
    """The answer of either client."""

    async def finish() -> Any:
        return await answer

    return asyncio.run(finish()) if inspect.isawaitable(answer) else answer


def collect(start: Callable[[], Any]) -> tuple[list[Any], AgentRunsError | None]:
    """What either client iterates, and the error that ends it."""
    found: list[Any] = []

    async def iterate(answers: Any) -> None:
        async for one in answers:
            found.append(one)

    try:
        answers = start()
        if hasattr(answers, "__aiter__"):
            asyncio.run(iterate(answers))
        else:
            # Not `extend`, which keeps nothing of an iteration that fails.
            for one in answers:
                found.append(one)
    except AgentRunsError as error:
        return found, error
    return found, None


@BOTH
@vectors("list-pages")
def test_list_pages(client_class: type[Any], given: dict[str, Any], expected: dict[str, Any]) -> None:
    cursors: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        page: dict[str, Any] = {**given["pages"][len(cursors)]}
        cursors.append(request.url.params.get("cursor"))
        if "runs" in page:
            page["runs"] = [{"run_id": run_id, "state": "QUEUED"} for run_id in page["runs"]]
        return answer_json(page)

    client = create_client(client_class, handler, base_url="https://a.example.com", api_key="key-3f9a")
    runs, error = collect(client.runs.list)
    outcome: dict[str, Any] = {"cursors": cursors[1:], "runs": [run.run_id for run in runs]}
    if error is not None:
        outcome["error"] = class_name(error)
    assert outcome == expected


OPTION_NAMES = {"baseUrl": "base_url", "apiKey": "api_key", "allowHttp": "allow_http"}


@vectors("base-urls")
def test_base_urls(given: dict[str, Any], expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AGENT_RUN_BASE_URL", "AGENT_RUN_API_KEY", "OZ_API_BASE_URL", "WARP_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given["environment"].items():
        monkeypatch.setenv(name, value)
    options = {OPTION_NAMES[name]: value for name, value in given["options"].items()}
    keys: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["Authorization"].removeprefix("Bearer "))
        return answer_json({})

    if "message" in expected:
        with pytest.raises(ConfigurationError) as caught:
            create_client(AgentRuns, handler, **options)
        assert caught.value.option == OPTION_NAMES.get(expected.get("option", ""))
        message = re.sub(r"<(\w+)>", lambda match: f"the option {OPTION_NAMES[match[1]]}", expected["message"])
        assert str(caught.value) == message
    else:
        client = create_client(AgentRuns, handler, **options)
        client.request("GET", "/agent")
        assert {"baseUrl": client.base_url, "apiKey": keys[0]} == expected


class CutBody(httpx.SyncByteStream, httpx.AsyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b'{"run_id": "1", '
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


def respond(answer: dict[str, Any], request: httpx.Request) -> httpx.Response:
    fault = answer.get("fault")
    if fault == "refused":
        raise httpx.ConnectError("[Errno 111] Connection refused", request=request)
    if fault == "reset":
        raise httpx.ReadError("[Errno 104] Connection reset by peer", request=request)
    if fault == "cut":
        return httpx.Response(200, headers={"Content-Type": "application/json"}, stream=CutBody())
    status, headers, body = answer["status"], answer.get("headers"), answer.get("body", "")
    if isinstance(body, str):
        return httpx.Response(status, headers=headers, content=body.encode())
    return answer_json(body, headers, status)


def answer_json(body: Any, headers: dict[str, str] | None = None, status: int = 200) -> httpx.Response:
    """Written as JavaScript writes it: error messages quote it."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    headers = {"Content-Type": "application/json", **(headers or {})}
    return httpx.Response(status, headers=headers, content=text.encode())


@BOTH
@vectors("run-answers")
def test_run_answers(client_class: type[Any], given: dict[str, Any], expected: dict[str, Any]) -> None:
    run_id = given.get("runId", "01890000-0000-7000-8000-000000000001")
    client = create_client(
        client_class,
        lambda request: respond(given, request),
        base_url="https://a.example.com",
        api_key="key-3f9a",
        max_retries=0,
    )
    try:
        run = complete(client.runs.retrieve(run_id))
    except agent_run.UnexpectedResponseError as error:
        outcome = {"error": class_name(error), "cut": error.cut, "message": str(error)}
        assert outcome == {"cut": False, **expected}
    except AgentRunsError as error:
        assert {"error": class_name(error)} == expected
    else:
        assert {"state": run.state} == expected


class ScriptedServer:
    """Answers creates and lists in order, and repeats the last answer of each."""

    def __init__(self, creates: list[Any], lists: list[Any], shared: dict[str, Any]) -> None:
        self.left = {"POST": list(creates), "GET": list(lists)}
        self.shared = shared
        self.sent: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/api/v1/agent/runs"
        params = request.url.params
        words = [request.method, *(f"{name}={params[name]}" for name in ("limit", "cursor") if name in params)]
        if "Idempotency-Key" in request.headers:
            words.append(request.headers["Idempotency-Key"])
        self.sent.append(" ".join(words))
        answers = self.left[request.method]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        known = self.shared["answers"][answer] if isinstance(answer, str) else answer
        if "runs" not in known:
            return respond(known, request)
        runs = [{**self.shared["run"], **run} for run in known["runs"]]
        page = {"runs": runs, "page_info": known.get("page_info", {"has_next_page": False})}
        return answer_json(page, {"Date": "Mon, 01 Jan 2029 00:01:00 GMT"})


hosts = (f"https://create-{number}.example.com" for number in count(1))


def settle(client_class: type[Any], server: ScriptedServer, given: dict[str, Any]) -> dict[str, Any]:
    options = dict(given.get("options", {}))
    names: dict[str, Any] = {}
    if "maxRetries" in options:
        names["max_retries"] = options.pop("maxRetries")
    if "totalTimeoutMs" in options:
        names["total_timeout"] = options.pop("totalTimeoutMs") / 1000
    assert options == {}
    client = create_client(client_class, server, base_url=next(hosts), api_key="key-3f9a", **names)
    body = {"title": "Count", **given.get("body", {})}
    try:
        run = complete(client.runs.create("count the files", **body, idempotency_key="mine"))
    except AgentRunsError as error:
        status = getattr(error, "status", None)
        return {"error": class_name(error), **({} if status is None else {"status": status})}
    return {"run": run.run_id}


@BOTH
@vectors("create-settling")
def test_create_settling(client_class: type[Any], given: dict[str, Any], expected: dict[str, Any]) -> None:
    server = ScriptedServer(given["creates"], given.get("lists", []), read("create-settling")["shared"])
    outcome = settle(client_class, server, given)
    assert {"sent": server.sent, **outcome} == expected


@BOTH
@vectors("run-search")
def test_run_search(client_class: type[Any], given: dict[str, Any], expected: dict[str, Any]) -> None:
    lists = ["empty", {"runs": given["runs"]}]
    server = ScriptedServer(["reset"], lists, read("run-search")["shared"])
    assert settle(client_class, server, given) == expected


FOLLOW_NAMES = {
    "toleranceMs": "tolerance",
    "notFoundGraceMs": "not_found_grace",
    "timeoutMs": "timeout",
    "queueTimeoutMs": "queue_timeout",
    "runTimeoutMs": "run_timeout",
    "stallTimeoutMs": "stall_timeout",
}


@BOTH
@vectors("following")
def test_following(client_class: type[Any], given: dict[str, Any], expected: dict[str, Any]) -> None:
    run_id = "01890000-0000-7000-8000-000000000001"
    clock = SkippingClock()
    polls: list[dict[str, str]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        answer = given["answers"][min(len(polls), len(given["answers"]) - 1)]
        headers = ("If-None-Match", "Prefer")
        polls.append({name: request.headers[name] for name in headers if name in request.headers})
        clock.sleep(answer.get("tookMs", 0) / 1000)
        if "run" not in answer:
            return respond(answer, request)
        features = {"ETag": answer["etag"], "Agent-Run-Features": "wait"} if "etag" in answer else {}
        return answer_json({"run_id": run_id, **answer["run"]}, features)

    client = create_client(client_class, handler, clock=clock, base_url="https://a.example.com", api_key="key-3f9a")
    options = {FOLLOW_NAMES[name]: ms / 1000 for name, ms in given.get("options", {}).items()}
    runs, error = collect(lambda: client.runs.follow(run_id, **options))
    outcome: dict[str, Any] = {"polls": polls, "states": [run.state for run in runs]}
    if error is not None:
        members = {"limit": getattr(error, "limit", None), "state": getattr(error, "state", None)}
        outcome["error"] = class_name(error)
        outcome.update((name, value) for name, value in members.items() if value is not None)
    assert outcome == expected
