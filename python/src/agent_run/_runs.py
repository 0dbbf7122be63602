"""The calls of the service. The asyncio resources have the logic; the blocking ones run it on a SyncIo."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, Union

import httpx

from ._address import ROUTES, fill_route
from ._answer import Answer
from ._errors import (
    AgentRunsError,
    ApiError,
    BadRequestError,
    ConfigurationError,
    FeatureUnavailableError,
    headline_of,
)
from ._follow import EVENTS_NAMES, FOLLOW_NAMES, events, follow
from ._headers import read_features
from ._io import BODY_BYTES_MAX, iterate, run
from ._options import CALL_NAMES, CallOptions, check_options
from ._pages import AskForPage, AsyncRunsPage, RunsPage
from ._start import NOT_THERE, start_run
from ._transport import Request, Transport
from ._types import (
    BODY_NAMES,
    AgentSkill,
    ArtifactDetails,
    CreatedRun,
    Environment,
    Json,
    Lease,
    Run,
    RunBody,
    RunEvent,
    is_id_of,
    is_lease,
    is_run_of,
    is_run_page,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

T = TypeVar("T")
Time = Union[str, datetime]


class CreateOptions(RunBody, CallOptions, total=False):
    """What a create takes besides the prompt."""

    idempotency_key: str | None
    """Repeating a create with the same key and body returns the same run. Default: a new UUID."""
    source: str | None
    """The kind of program that starts the run. Default: API."""


class ListOptions(CallOptions, total=False):
    """The filters of a list; a run has to pass all of them. `_after` includes its time, `_before` does not."""

    state: str | Sequence[str] | None
    name: str | None
    config_name: str | None
    model_id: str | None
    creator: str | None
    executor: str | None
    source: str | None
    execution_location: str | None
    skill_spec: str | None
    skill: str | None
    environment_id: str | None
    q: str | None
    metadata: Mapping[str, str] | None
    created_after: Time | None
    created_before: Time | None
    updated_after: Time | None
    artifact_type: str | None
    schedule_id: str | None
    ancestor_run_id: str | None
    automation_id: str | None
    factory_uid: str | None
    limit: int | None
    cursor: str | None
    sort_by: str | None
    sort_order: str | None


LIST_NAMES = tuple(ListOptions.__annotations__.keys() - CallOptions.__annotations__.keys())


class CancelOptions(CallOptions, total=False):
    reason: str | None
    """Shown in the run's message. One line."""


class FollowupOptions(CallOptions, total=False):
    idempotency_key: str | None
    """Lets the client retry if the response is lost."""
    mode: str | None


class PatienceOptions(TypedDict, total=False):
    on_states_only: Callable[[], object] | None
    """Called if the server has no events, so that only changes of state arrive. What it raises is passed on."""
    tolerance: float | None
    """How many seconds polls may keep failing before following gives up. Default: 300."""
    not_found_grace: float | None
    """How many seconds a 404 at the start is treated as replication lag. Default: 10."""


class EventsOptions(PatienceOptions, total=False):
    """Options of reading events."""

    after: int | None
    """Number of the last event that you already have. Default: 0."""


class FollowOptions(PatienceOptions, total=False):
    """Options of following. A time limit ends following with FollowTimeoutError, never the run."""

    timeout: float | None
    """Limit for all of following, in seconds. Default: none."""
    queue_timeout: float | None
    """Limit for waiting to start. Default: none."""
    run_timeout: float | None
    """Limit for running, including BLOCKED. Default: none."""
    stall_timeout: float | None
    """Limit for running without a new event or a new `updated_at`. BLOCKED does not count. Default: none."""
    on_event: Callable[[RunEvent], object] | None
    """Called with every event, once and in order. Following pauses meanwhile, and does not renew the lease. What it
    raises ends following."""
    events_grace: float | None
    """How many seconds to wait for the last events of an ended or BLOCKED run. Default: 5."""
    cancel_on_interrupt: bool | None
    """Cancel the run if the program is interrupted (Ctrl-C, or a canceled task) in here. The body of a `for` loop is
    outside."""


class WaitOptions(FollowOptions, total=False):
    on_run: Callable[[Run], object] | None
    """Called with the run now and after every change. Following pauses meanwhile, and does not renew the lease."""


CANCEL_TIMEOUT = 10.0
"""How long an interrupt waits for the cancel of the run, in seconds."""


@dataclass(frozen=True)
class RawResponse(Generic[T]):
    """A response with what its body says."""

    status_code: int
    headers: httpx.Headers
    content: bytes
    parsed: T

    @property
    def request_id(self) -> str | None:
        """Id to quote to the server's administrator."""
        request_id: str | None = self.headers.get("x-request-id")
        return request_id

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.content)

    def parse(self) -> T:
        """What the call returns without `with_raw_response`."""
        return self.parsed


def raw_response(answer: Answer, parsed: T) -> RawResponse[T]:
    return RawResponse(answer.status, answer.headers, answer.content, parsed)


class AsyncResource:
    """Calls that share a transport."""

    def __init__(self, transport: Transport, raw: bool = False) -> None:
        self._transport = transport
        self._raw = raw

    @property
    def with_raw_response(self) -> Any:
        """The same methods, which return a RawResponse."""
        return type(self)(self._transport, True)

    def _give(self, answer: Answer, parsed: T) -> T:
        return raw_response(answer, parsed) if self._raw else parsed  # type: ignore[return-value]

    async def _send(self, method: str, path: str, options: Mapping[str, Any], **more: Any) -> Answer:
        more.setdefault("is_idempotent", method != "POST")
        return await self._transport.send(Request(method, path, options=options, **more))


class AsyncRuns(AsyncResource):
    """The runs of the service. Every call raises ApiError for an error response, ConnectionFailedError if no complete
    response arrived, UnexpectedResponseError for a response that does not come from this service, and
    ConfigurationError, before anything is sent, for an invalid argument."""

    async def create(self, prompt: str | None = None, **body: Unpack[CreateOptions]) -> CreatedRun:
        """Starts a run exactly once, even if responses get lost. Raises StartUnknownError, with the idempotency key,
        if a run may have been started but cannot be found."""
        names = (*BODY_NAMES, "idempotency_key", "source", *CALL_NAMES)
        options = check_options("the arguments of a create", body, names)
        members = {name: options.pop(name) for name in BODY_NAMES if name in options}
        extra = members.pop("extra_body", {})
        sent = {**({} if prompt is None else {"prompt": prompt}), **members, **extra}
        key, source = options.pop("idempotency_key", None), options.pop("source", None)
        answer = await start_run(self._transport, sent, options, key, source)
        return self._give(answer, CreatedRun.read(answer.data))

    async def retrieve(self, run_id: str, **options: Unpack[CallOptions]) -> Run:
        """The run as it is now."""
        answer, found = await self._retrieve(run_id, _call(options))
        return self._give(answer, found)

    def list(self, **filters: Unpack[ListOptions]) -> AsyncRunList:
        """One page when awaited, every run when iterated."""
        return AsyncRunList(self, filters)

    async def cancel(self, run_id: str, **options: Unpack[CancelOptions]) -> str:
        """Asks the server to cancel the run; returns its id. Raises BadRequestError if the run has ended."""
        given = _call(options, "reason")
        body = {"reason": given.pop("reason")} if "reason" in given else {}
        request = Request(
            "POST",
            fill_route("cancel_run", run_id=run_id),
            body=body,
            is_expected=is_id_of(run_id),
            # A second cancel has no further effect.
            is_idempotent=True,
            options=given,
        )
        prepared = self._transport.prepare(request)
        try:
            answer = await self._transport.carry_out(prepared)
        except BadRequestError:
            # The run has ended, perhaps because of an attempt whose response was lost.
            if prepared.count < 2 or (read := await self._retrieve(run_id, given))[1].state != "CANCELLED":
                raise
            answer = replace(read[0], data=run_id, content=json.dumps(run_id).encode())
        return self._give(answer, str(answer.data))

    async def followup(self, run_id: str, message: str, **options: Unpack[FollowupOptions]) -> Json:
        """Sends a message to a BLOCKED run, which then continues. Retried after a lost response only with an
        `idempotency_key`. Raises BadRequestError if the run has ended."""
        given = _call(options, "idempotency_key", "mode")
        key = given.pop("idempotency_key", None)
        body = {"message": message, **({"mode": given.pop("mode")} if "mode" in given else {})}
        path = fill_route("send_followup", run_id=run_id)
        answer = await self._send("POST", path, given, body=body, is_expected=_is_object, idempotency_key=key)
        return self._give(answer, answer.data)

    async def renew_lease(self, run_id: str, lease_seconds: float, **options: Unpack[CallOptions]) -> Lease:
        """Extends the run's lease to `lease_seconds` from now. Raises FeatureUnavailableError without leases."""
        body = {"lease_seconds": lease_seconds}
        answer = await self._send_lease("PUT", run_id, options, body=body, is_expected=is_lease)
        return self._give(answer, Lease.read(answer.data))

    async def release_lease(self, run_id: str, **options: Unpack[CallOptions]) -> None:
        """Removes the run's lease, so that it continues even if nobody follows it."""
        answer = await self._send_lease("DELETE", run_id, options, is_expected=_is_object)
        return self._give(answer, None)

    async def result(self, run_id: str, **options: Unpack[CallOptions]) -> str:
        """The full text of the result, as far as the server keeps it. Raises NotFoundError with the code `no_result`
        if the run has none, and FeatureUnavailableError if the server has only the first part of it."""
        given = _call(options)
        try:
            answer = await self._send("GET", fill_route("read_result", run_id=run_id), given, as_="text")
        except ApiError as error:
            if not _is_missing(error, "result"):
                raise
            answer, found = await self._retrieve(run_id, given)
            # The 404 came from a proxy, because the server announces the feature.
            if found.result is None or found.result.truncated:
                if "result" in read_features(answer.headers):
                    raise
                lack = "no result" if found.result is None else "only the first part of it"
                raise FeatureUnavailableError("result", f", and the run itself has {lack}") from error
            answer = replace(answer, data=found.result.text, content=found.result.text.encode())
        return self._give(answer, str(answer.data))

    def events(self, run_id: str, **options: Unpack[EventsOptions]) -> AsyncGenerator[RunEvent, None]:
        """Every event after `after`, once and in order, until the run ends. Broken connections are reopened."""
        return events(self._transport, run_id, check_options("the options of events", options, EVENTS_NAMES))

    def follow(self, run_id: str, **options: Unpack[FollowOptions]) -> AsyncGenerator[Run, None]:
        """The run now and after every change, up to its final state. Raises FollowTimeoutError, RunLostError,
        ConnectionFailedError if no good response came for `tolerance`, and any error that a retry cannot fix."""
        names = (*FOLLOW_NAMES, "cancel_on_interrupt")
        return self._follow(run_id, check_options("the options of following", options, names))

    async def wait(self, run_id: str, **options: Unpack[WaitOptions]) -> Run:
        """Waits for the run to end and returns it in its final state, whichever that is. Raises what `follow`
        raises."""
        names = (*FOLLOW_NAMES, "on_run", "cancel_on_interrupt")
        given = check_options("the options of following", options, names)
        on_run, cancels = given.pop("on_run", None), given.pop("cancel_on_interrupt", False)
        async with self._canceling(run_id, cancels), aclosing(follow(self._transport, run_id, given)) as runs:
            async for found in runs:
                if on_run is not None:
                    await self._transport.io.call(on_run, found)
                if found.is_final:
                    return found
        raise AgentRunsError(f"run {run_id}: following ended before the run did")

    async def _follow(self, run_id: str, options: dict[str, Any]) -> AsyncGenerator[Run, None]:
        cancels = options.pop("cancel_on_interrupt", False)
        async with self._canceling(run_id, cancels), aclosing(follow(self._transport, run_id, options)) as runs:
            async for found in runs:
                yield found

    @asynccontextmanager
    async def _canceling(self, run_id: str, cancels: bool) -> AsyncIterator[None]:
        try:
            yield
        except (KeyboardInterrupt, asyncio.CancelledError):
            if cancels:
                try:
                    reason = "the program that followed it was interrupted"
                    await self.cancel(run_id, reason=reason, total_timeout=CANCEL_TIMEOUT)
                except AgentRunsError as error:
                    self._transport.log(30, f"run {run_id}: it could not be canceled: {headline_of(error)}")
            raise

    async def _retrieve(self, run_id: str, options: Mapping[str, Any]) -> tuple[Answer, Run]:
        path = fill_route("read_run", run_id=run_id)
        answer = await self._send("GET", path, options, is_expected=is_run_of(run_id))
        return answer, Run.read(answer.data)

    async def _send_lease(self, method: str, run_id: str, options: Mapping[str, Any], **more: Any) -> Answer:
        try:
            return await self._send(method, fill_route("lease", run_id=run_id), _call(options), **more)
        except ApiError as error:
            if _is_missing(error, "lease"):
                raise FeatureUnavailableError("lease") from error
            raise


class AsyncRunList:
    """A list. Await it for the first page; iterate it for every run."""

    def __init__(self, runs: AsyncRuns, filters: Mapping[str, Any]) -> None:
        self._runs = runs
        self._ask = _ask_for_pages(runs._transport, filters)

    def __await__(self) -> Generator[Any, None, AsyncRunsPage]:
        return self._read().__await__()

    async def _read(self) -> AsyncRunsPage:
        answer = await self._ask(None)
        return self._runs._give(answer, AsyncRunsPage(answer.data, self._ask))

    async def __aiter__(self) -> AsyncGenerator[Run, None]:
        page = AsyncRunsPage((await self._ask(None)).data, self._ask)
        async for found in page:
            yield found


def _ask_for_pages(transport: Transport, options: Mapping[str, Any]) -> AskForPage:
    given = check_options("the parameters of a list", options, (*LIST_NAMES, *CALL_NAMES))
    filters = {name: given.pop(name) for name in [*given] if name in LIST_NAMES}
    for name, value in filters.items():
        if isinstance(value, (list, tuple)) and not value:
            raise ConfigurationError(f"the parameters of a list: {name} is an empty list, which matches no run")

    async def ask(cursor: str | None) -> Answer:
        query = filters if cursor is None else {**filters, "cursor": cursor}
        path = ROUTES["list_runs"]
        return await transport.send(
            Request("GET", path, query=query, is_expected=is_run_page, is_idempotent=True, options=given)
        )

    return ask


def _call(options: Mapping[str, Any], *more: str) -> dict[str, Any]:
    return check_options("the options of a call", options, (*more, *CALL_NAMES))


def _is_missing(error: ApiError, feature: str) -> bool:
    """Whether the address does not exist, and the server does not announce the feature."""
    return error.status in NOT_THERE and feature not in read_features(error.headers)


def _is_object(data: Any) -> bool:
    return isinstance(data, dict)


class SkillListOptions(CallOptions, total=False):
    repo: str | None
    refresh: bool | None
    sort_by: str | None
    include_malformed_skills: bool | None


class EnvironmentListOptions(CallOptions, total=False):
    sort_by: str | None


class AsyncAgent(AsyncResource):
    """Skills and environments that runs can use."""

    async def list(self, **params: Unpack[SkillListOptions]) -> tuple[AgentSkill, ...]:
        """The skills that a run can use, grouped by name. Raises NotFoundError if the server does not read the
        repository."""
        names = ("repo", "refresh", "sort_by", "include_malformed_skills")
        answer = await self._read("list_agents", "agents", names, params)
        return self._give(answer, tuple(AgentSkill.read(one) for one in answer.data["agents"]))

    async def list_environments(self, **params: Unpack[EnvironmentListOptions]) -> tuple[Environment, ...]:
        """The environments that a run can use."""
        answer = await self._read("list_environments", "environments", ("sort_by",), params)
        return self._give(answer, tuple(Environment.read(one) for one in answer.data["environments"]))

    async def _read(self, route: str, member: str, names: tuple[str, ...], params: Mapping[str, Any]) -> Answer:
        given = check_options("the parameters of a list", params, (*names, *CALL_NAMES))
        query = {name: given.pop(name) for name in names if name in given}

        def is_expected(data: Any) -> bool:
            found = data.get(member) if isinstance(data, dict) else None
            return isinstance(found, list) and all(isinstance(one, dict) for one in found)

        return await self._send("GET", ROUTES[route], given, query=query, is_expected=is_expected)


_FOREIGN_HEADERS = {"accept": "*/*", "accept-encoding": "identity"}


class AsyncArtifacts(AsyncResource):
    """What runs left."""

    async def retrieve(self, artifact_uid: str, **options: Unpack[CallOptions]) -> ArtifactDetails:
        """One artifact. The `download_url` in the data of a FILE needs no key and expires."""
        answer = await self._send("GET", self._path(artifact_uid), _call(options), is_expected=_is_object)
        return self._give(answer, ArtifactDetails.read(answer.data))

    async def download(self, artifact_uid: str, **options: Unpack[CallOptions]) -> bytes:
        """The content of a FILE of up to 64 MiB; larger ones are at its `download_url`."""
        given, path = _call(options), self._path(artifact_uid)
        details = ArtifactDetails.read((await self._send("GET", path, given, is_expected=_is_object)).data)
        url = details.data.get("download_url")
        if not isinstance(url, str):
            raise AgentRunsError(f"artifact {artifact_uid} is not a file: it has no download_url")
        size = details.data.get("size_bytes")
        if isinstance(size, int) and size > BODY_BYTES_MAX:
            raise AgentRunsError(f"artifact {artifact_uid} has {size} bytes; read its download_url with httpx.stream")
        request = Request("GET", path, as_="bytes", is_idempotent=True, options=given)
        # The address may be of another service, which gets neither the key nor the client's headers.
        prepared = replace(self._transport.prepare(request), url=url, headers=_FOREIGN_HEADERS, sends_key=False)
        answer = await self._transport.carry_out(prepared)
        return self._give(answer, answer.content)

    def _path(self, artifact_uid: str) -> str:
        return fill_route("read_artifact", artifact_uid=artifact_uid)


# The blocking resources. Each method has the meaning of its twin above.


class Runs:
    """The runs of the service. Every call raises ApiError for an error response, ConnectionFailedError if no complete
    response arrived, UnexpectedResponseError for a response that does not come from this service, and
    ConfigurationError, before anything is sent, for an invalid argument."""

    def __init__(self, runs: AsyncRuns) -> None:
        self._runs = runs

    @property
    def with_raw_response(self) -> Any:
        """The same methods, which return a RawResponse."""
        return Runs(self._runs.with_raw_response)

    def create(self, prompt: str | None = None, **body: Unpack[CreateOptions]) -> CreatedRun:
        """Starts a run exactly once, even if responses get lost. Raises StartUnknownError, with the idempotency key,
        if a run may have been started but cannot be found."""
        return run(self._runs.create(prompt, **body))

    def retrieve(self, run_id: str, **options: Unpack[CallOptions]) -> Run:
        """The run as it is now."""
        return run(self._runs.retrieve(run_id, **options))

    def list(self, **filters: Unpack[ListOptions]) -> RunsPage:
        """One page of runs. Iterating it covers all later pages."""
        ask = _ask_for_pages(self._runs._transport, filters)
        answer = run(ask(None))
        return self._runs._give(answer, RunsPage(answer.data, ask))

    def cancel(self, run_id: str, **options: Unpack[CancelOptions]) -> str:
        """Asks the server to cancel the run; returns its id. Raises BadRequestError if the run has ended."""
        return run(self._runs.cancel(run_id, **options))

    def followup(self, run_id: str, message: str, **options: Unpack[FollowupOptions]) -> Json:
        """Sends a message to a BLOCKED run, which then continues. Retried after a lost response only with an
        `idempotency_key`. Raises BadRequestError if the run has ended."""
        return run(self._runs.followup(run_id, message, **options))

    def renew_lease(self, run_id: str, lease_seconds: float, **options: Unpack[CallOptions]) -> Lease:
        """Extends the run's lease to `lease_seconds` from now. Raises FeatureUnavailableError without leases."""
        return run(self._runs.renew_lease(run_id, lease_seconds, **options))

    def release_lease(self, run_id: str, **options: Unpack[CallOptions]) -> None:
        """Removes the run's lease, so that it continues even if nobody follows it."""
        return run(self._runs.release_lease(run_id, **options))

    def result(self, run_id: str, **options: Unpack[CallOptions]) -> str:
        """The full text of the result, as far as the server keeps it. Raises NotFoundError with the code `no_result`
        if the run has none, and FeatureUnavailableError if the server has only the first part of it."""
        return run(self._runs.result(run_id, **options))

    def events(self, run_id: str, **options: Unpack[EventsOptions]) -> Generator[RunEvent, None, None]:
        """Every event after `after`, once and in order, until the run ends. Broken connections are reopened."""
        return iterate(self._runs.events(run_id, **options))

    def follow(self, run_id: str, **options: Unpack[FollowOptions]) -> Generator[Run, None, None]:
        """The run now and after every change, up to its final state. Raises FollowTimeoutError, RunLostError,
        ConnectionFailedError if no good response came for `tolerance`, and any error that a retry cannot fix."""
        return iterate(self._runs.follow(run_id, **options))

    def wait(self, run_id: str, **options: Unpack[WaitOptions]) -> Run:
        """Waits for the run to end and returns it in its final state, whichever that is. Raises what `follow`
        raises."""
        return run(self._runs.wait(run_id, **options))


class Agent:
    """Skills and environments that runs can use."""

    def __init__(self, agent: AsyncAgent) -> None:
        self._agent = agent

    @property
    def with_raw_response(self) -> Any:
        """The same methods, which return a RawResponse."""
        return Agent(self._agent.with_raw_response)

    def list(self, **params: Unpack[SkillListOptions]) -> tuple[AgentSkill, ...]:
        """The skills that a run can use, grouped by name. Raises NotFoundError if the server does not read the
        repository."""
        return run(self._agent.list(**params))

    def list_environments(self, **params: Unpack[EnvironmentListOptions]) -> tuple[Environment, ...]:
        """The environments that a run can use."""
        return run(self._agent.list_environments(**params))


class Artifacts:
    """What runs left."""

    def __init__(self, artifacts: AsyncArtifacts) -> None:
        self._artifacts = artifacts

    @property
    def with_raw_response(self) -> Any:
        """The same methods, which return a RawResponse."""
        return Artifacts(self._artifacts.with_raw_response)

    def retrieve(self, artifact_uid: str, **options: Unpack[CallOptions]) -> ArtifactDetails:
        """One artifact. The `download_url` in the data of a FILE needs no key and expires."""
        return run(self._artifacts.retrieve(artifact_uid, **options))

    def download(self, artifact_uid: str, **options: Unpack[CallOptions]) -> bytes:
        """The content of a FILE of up to 64 MiB; larger ones are at its `download_url`."""
        return run(self._artifacts.download(artifact_uid, **options))
