"""The two clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

import httpx

from ._answer import Answer
from ._errors import ConfigurationError
from ._io import AsyncIo, BlockingLock, Clock, Stream, SyncIo, run
from ._options import (
    CALL_NAMES,
    ApiKeyFunction,
    CallOptions,
    Settings,
    check_options,
    is_loopback,
    resolve_credentials,
)
from ._runs import Agent, Artifacts, AsyncAgent, AsyncArtifacts, AsyncRuns, Runs
from ._start import mark_taken
from ._transport import IDEMPOTENT, KeySource, Request, Transport
from ._types import is_run

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class ClientOptions(CallOptions, total=False):
    """Options of a client. Those of a call override them; its `headers` and `query` are added."""

    allow_http: bool | None
    """Allows sending the key over plain HTTP to another machine. Default: False."""
    clock: Clock | None
    """Measures time and waits. Default: the system clock."""


Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=100)
"""Following holds one or two connections for each run, so a limit would make some runs wait for the others."""


class RequestBody(CallOptions, total=False):
    """What `request` takes besides the method and the path."""

    body: Any
    """Sent as JSON."""
    as_: Literal["json", "text", "bytes"]
    """How to read the response: json, text (not HTML) or bytes. Default: json."""
    idempotency_key: str | None
    """Lets the client retry a POST or PATCH whose outcome is unknown."""


def _resolve(
    base_url: str | None,
    api_key: str | ApiKeyFunction | None,
    http_client: object,
    kind: type[object],
    options: Mapping[str, Any],
) -> Settings:
    if http_client is not None and not isinstance(http_client, kind):
        words = f"http_client must be httpx.{kind.__name__}, not {type(http_client).__name__}"
        raise ConfigurationError(words, "http_client")
    given = check_options("the options of a client", options, (*CALL_NAMES, "allow_http", "clock"))
    address, key = resolve_credentials(base_url, api_key, allow_http=given.pop("allow_http", False))
    return Settings(base_url=address, api_key=key, **given)


def _override(settings: Settings, options: Mapping[str, Any]) -> Settings:
    given = check_options("the options of a copy", options, CALL_NAMES)
    given["query"] = {**settings.query, **given.get("query", {})}
    given["headers"] = {
        name.lower(): value for layer in (settings.headers, given.get("headers", {})) for name, value in layer.items()
    }
    return replace(settings, **given)


def _open(kind: type[Http], base_url: str) -> Http:
    host = urlsplit(base_url).hostname or ""
    # The key for a server on this machine may go over plain HTTP, so no proxy may see it.
    direct: Any = {f"all://{f'[{host}]' if ':' in host else host}": None} if is_loopback(host) else None
    try:
        return kind(limits=_LIMITS, mounts=direct, cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])))
    # Of every kind: a missing file, an unknown scheme, a package that is not installed.
    except Exception as error:
        names = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE and SSL_CERT_DIR"
        raise ConfigurationError(f"httpx does not start: {error}; see the variables {names}") from error


async def _request(transport: Transport, method: str, path: str, options: Mapping[str, Any]) -> Answer:
    given = check_options("the options of a request", options, ("body", "as_", "idempotency_key", *CALL_NAMES))
    as_, body = given.pop("as_", "json"), {"body": given.pop("body")} if "body" in given else {}
    ways = {"json": "any-json", "text": "any-text", "bytes": "bytes"}
    if as_ not in ways:
        raise ConfigurationError(f"as_ must be one of {', '.join(ways)}")
    request = Request(
        method,
        path,
        as_=ways[as_],
        is_idempotent=IDEMPOTENT.get(method, False),
        idempotency_key=given.pop("idempotency_key", None),
        options=given,
        **body,
    )
    answer = await transport.send(request)
    if method == "POST" and path.partition("?")[0] == "/agent/runs" and is_run(answer.data):
        mark_taken(transport, answer.data["run_id"])
    return answer


async def _stream(transport: Transport, method: str, path: str, options: Mapping[str, Any]) -> Stream:
    given = check_options("the options of a request", options, CALL_NAMES)
    request = Request(
        method,
        path,
        as_="bytes",
        is_idempotent=IDEMPOTENT.get(method, False),
        options=given,
        wants_stream=lambda response: response.is_success,
    )
    answer = await transport.send(request)
    assert answer.stream is not None
    return answer.stream


class AgentRuns:
    """The client of an agent run service. Its key is never printed, logged or part of an error.

    Without `base_url` and `api_key` it reads AGENT_RUN_BASE_URL and AGENT_RUN_API_KEY, otherwise OZ_API_BASE_URL and
    WARP_API_KEY. `api_key` may be a function, which is called again before the key expires and once after a 401.
    `http_client` sends the requests: give one for proxies or your own certificate authority, and close it yourself.
    Raises ConfigurationError, which names the option or variable that is missing or wrong."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | ApiKeyFunction | None = None,
        http_client: httpx.Client | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        settings = _resolve(base_url, api_key, http_client, httpx.Client, options)
        self._owns_http = http_client is None
        http = http_client or _open(httpx.Client, settings.base_url)
        self._begin(settings, KeySource(settings, BlockingLock()), http)

    def _begin(self, settings: Settings, keys: KeySource, http: httpx.Client) -> None:
        self._settings, self._keys, self._http = settings, keys, http
        self._transport = Transport(settings, SyncIo(http, settings.clock), keys)
        self.runs = Runs(AsyncRuns(self._transport))
        self.agent = Agent(AsyncAgent(self._transport))
        self.artifacts = Artifacts(AsyncArtifacts(self._transport))

    @property
    def base_url(self) -> str:
        """Address of the service, with its prefix and without a slash at the end."""
        return self._settings.base_url

    def with_options(self, **options: Unpack[CallOptions]) -> AgentRuns:
        """A copy with other options, which shares the connections. Closing it closes nothing."""
        copy = AgentRuns.__new__(AgentRuns)
        copy._owns_http = False
        copy._begin(_override(self._settings, options), self._keys, self._http)
        return copy

    def request(self, method: str, path: str, **options: Unpack[RequestBody]) -> Any:
        """Sends any request, with the same retries, time limits and errors. `path` begins after `/api/v1`. A POST or
        PATCH is retried only if it was certainly not carried out, or with an `idempotency_key`."""
        return run(_request(self._transport, method, path, options)).data

    @contextmanager
    def stream(self, method: str, path: str, **options: Unpack[CallOptions]) -> Iterator[httpx.Response]:
        """A response whose body is unread: use its `iter_bytes` or `iter_lines`."""
        stream = run(_stream(self._transport, method, path, options))
        try:
            yield stream.response
        finally:
            stream.response.close()

    def close(self) -> None:
        """Closes the connections, unless they belong to your `http_client`."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"AgentRuns(base_url={self.base_url!r})"


class AsyncAgentRuns:
    """The client of an agent run service, for asyncio; see `AgentRuns`."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | ApiKeyFunction | None = None,
        http_client: httpx.AsyncClient | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        settings = _resolve(base_url, api_key, http_client, httpx.AsyncClient, options)
        self._owns_http = http_client is None
        http = http_client or _open(httpx.AsyncClient, settings.base_url)
        self._begin(settings, KeySource(settings, asyncio.Lock()), http)

    def _begin(self, settings: Settings, keys: KeySource, http: httpx.AsyncClient) -> None:
        self._settings, self._keys, self._http = settings, keys, http
        self._transport = Transport(settings, AsyncIo(http, settings.clock), keys)
        self.runs = AsyncRuns(self._transport)
        self.agent = AsyncAgent(self._transport)
        self.artifacts = AsyncArtifacts(self._transport)

    @property
    def base_url(self) -> str:
        """Address of the service, with its prefix and without a slash at the end."""
        return self._settings.base_url

    def with_options(self, **options: Unpack[CallOptions]) -> AsyncAgentRuns:
        """A copy with other options, which shares the connections. Closing it closes nothing."""
        copy = AsyncAgentRuns.__new__(AsyncAgentRuns)
        copy._owns_http = False
        copy._begin(_override(self._settings, options), self._keys, self._http)
        return copy

    async def request(self, method: str, path: str, **options: Unpack[RequestBody]) -> Any:
        """Sends any request, with the same retries, time limits and errors. `path` begins after `/api/v1`. A POST or
        PATCH is retried only if it was certainly not carried out, or with an `idempotency_key`."""
        return (await _request(self._transport, method, path, options)).data

    @asynccontextmanager
    async def stream(self, method: str, path: str, **options: Unpack[CallOptions]) -> AsyncIterator[httpx.Response]:
        """A response whose body is unread: use its `aiter_bytes` or `aiter_lines`."""
        stream = await _stream(self._transport, method, path, options)
        try:
            yield stream.response
        finally:
            await stream.response.aclose()

    async def aclose(self) -> None:
        """Closes the connections, unless they belong to your `http_client`."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncAgentRuns(base_url={self.base_url!r})"
