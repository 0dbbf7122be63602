"""The errors of the client. No message and no field contains an API key."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from ._headers import read_features, read_retry_after
from ._text import ellipsis, excerpt, plain_line


class AgentRunsError(Exception):
    """Base class of all errors of the client."""

    def __init__(self, message: str) -> None:
        super().__init__(plain_line(message))

    def __reduce__(self) -> tuple[Any, ...]:
        # Process pools pickle errors. The default calls the constructor with the message alone.
        return _revive, (type(self), self.args), self.__dict__

    @property
    def message(self) -> str:
        return str(self.args[0])


def _revive(kind: type[AgentRunsError], arguments: tuple[Any, ...]) -> AgentRunsError:
    return kind.__new__(kind, *arguments)


class ConfigurationError(AgentRunsError):
    """An option, a variable or an argument is missing or wrong; nothing was sent."""

    def __init__(self, message: str, option: str | None = None) -> None:
        super().__init__(message)
        self.option = option
        """The option that is wrong or would fix the error; None if the error is elsewhere."""


class ApiKeyError(AgentRunsError):
    """The `api_key` function failed; nothing was sent."""

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.retryable = retryable
        """True if the function raised, so that it may succeed next time; False if it returned an invalid key."""


class ConnectionFailedError(AgentRunsError):
    """No complete response arrived."""

    def __init__(
        self, message: str, *, host: str, fault: str, never_left: bool, headline: str | None = None
    ) -> None:
        super().__init__(message)
        self.host = host
        self.fault = fault
        """refused, unresolved, unreachable, certificate, tls, closed, timeout, fetch or other."""
        self.never_left = never_left
        """The request certainly never reached a server, so nothing was done."""
        self.headline = plain_line(headline or message)
        """The message without foreign text."""


class ConnectionTimeoutError(ConnectionFailedError):
    """No complete response arrived within `timeout` or `total_timeout`."""


@dataclass(frozen=True)
class ApiIssue:
    """One invalid member of a request."""

    path: str
    message: str


class ApiError(AgentRunsError):
    """The server answered with an error status."""

    def __init__(self, method: str, path: str, status: int, headers: httpx.Headers, body: Any) -> None:
        problem: dict[str, Any] = body if isinstance(body, dict) else {}
        retryable = problem.get("retryable")
        self.method = method
        self.path = path
        self.status = status
        self.headers = headers
        self.body = body
        """The problem document, or the text of a body that is not JSON."""
        self.code = _read_code(problem.get("type"))
        """A code of the error table, or of a newer server; None if the response has none."""
        self.title = _read_text(problem.get("title"))
        self.detail = _read_text(problem.get("detail")) or _read_text(problem.get("error"))
        self.request_id = headers.get("x-request-id") or _read_text(problem.get("trace_id"))
        self.retryable = retryable if isinstance(retryable, bool) else None
        """Whether the server says that a retry may succeed; None if it does not say."""
        self.issues = _read_issues(problem.get("issues"))
        """Which members of the request are wrong, and why."""
        super().__init__(_describe(self))

    @property
    def response(self) -> httpx.Response:
        """The response, as far as the error keeps it: redacted, and cut if it is long."""
        text = self.body if isinstance(self.body, str) else "" if self.body is None else json.dumps(self.body)
        headers = httpx.Headers(self.headers)
        for name in ("content-length", "content-encoding", "transfer-encoding"):
            headers.pop(name, None)
        return httpx.Response(self.status, headers=headers, content=text.encode("utf-8", "replace"))

    @property
    def is_proxy_response(self) -> bool:
        """Whether something else than the service answered, such as a proxy or a wrong address."""
        # The response to a HEAD has no body, whoever sent it.
        return not isinstance(self.body, dict) and self.method != "HEAD" and not read_features(self.headers)


class BadRequestError(ApiError):
    """400: the request is invalid; `issues` says why."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown or expired."""


class PermissionDeniedError(ApiError):
    """403: the key is not allowed to do this."""


class NotFoundError(ApiError):
    """404: not found."""


class ConflictError(ApiError):
    """409: conflicts with the current state."""


class UnprocessableEntityError(ApiError):
    """422: not supported by this server."""


class RateLimitError(ApiError):
    """429: too many requests."""


class InternalServerError(ApiError):
    """5xx: the service failed."""


_CLASSES: Mapping[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}


def api_error(method: str, path: str, status: int, headers: httpx.Headers, body: Any) -> ApiError:
    """The error for an error status."""
    kind = _CLASSES.get(status) or (InternalServerError if status >= 500 else ApiError)
    return kind(method, path, status, headers, body)


class UnexpectedResponseError(AgentRunsError):
    """The response is not from this service: a proxy's page, a redirect, an empty, compressed or
    endless body, truncated JSON."""

    def __init__(
        self, method: str, path: str, status: int, headers: httpx.Headers, text: str, why: str, cut: bool = False
    ) -> None:
        self.content_type: str | None = headers.get("content-type")
        self.excerpt = excerpt(text)
        self.request_id: str | None = headers.get("x-request-id")
        self.headline = plain_line(f"{method} {path}: {status} {why} ({self.content_type or 'no content type'})")
        shown = f": {json.dumps(self.excerpt, ensure_ascii=False)}" if self.excerpt else ""
        super().__init__(f"{self.headline}{shown}{_closing(self.request_id)}")
        self.method = method
        self.path = path
        self.status = status
        self.headers = headers
        self.cut = cut
        """The body ends too early, for example because the connection broke."""


class FeatureUnavailableError(AgentRunsError):
    """The server does not have the feature that the call needs."""

    def __init__(self, feature: str, more: str = "") -> None:
        super().__init__(f'this server does not offer "{feature}"{more}')
        self.feature = feature


_OVERDUE = {
    "total": "had not ended after",
    "queue": "was still queued after",
    "run": "had not ended after running for",
    "stall": "has shown no activity for",
}


class FollowTimeoutError(AgentRunsError):
    """A time limit of following was reached; the run continues."""

    def __init__(
        self,
        *,
        run_id: str,
        limit: str,
        timeout: float,
        state: str | None,
        phase: str | None,
        failure: BaseException | None,
    ) -> None:
        last = f": {failure}" if failure else ""
        if state is None:
            what = f"could not be read for {timeout:g} s{last}"
        else:
            where = "waiting to start" if phase == "queue" else "started"
            since = f" when last seen; every request since then has failed{last}" if failure else ""
            what = f"{_OVERDUE[limit]} {timeout:g} s; last state {state}, {where}{since}"
        super().__init__(f"run {run_id} {what}")
        self.run_id = run_id
        self.limit = limit
        """total, queue, run or stall."""
        self.timeout = timeout
        """The limit that was reached, in seconds."""
        self.state = state
        """The last state seen; None if no request was answered."""
        self.phase = phase
        """queue or run; None if the run was never seen."""


class RunLostError(AgentRunsError):
    """The server does not know the run, or no longer knows it."""

    def __init__(self, run_id: str, state: str | None, failure: BaseException) -> None:
        # If the run was never seen, the address may be wrong.
        what = (
            f"is not known to the server: {failure}"
            if state is None
            else f"is no longer known to the server; last state {state}"
        )
        super().__init__(f"run {run_id} {what}")
        self.run_id = run_id
        self.state = state
        """The last state seen; None if the run was never seen."""


class StartUnknownError(AgentRunsError):
    """It is unknown whether a create started a run."""

    def __init__(self, idempotency_key: str, failure: BaseException, afterwards: str | None = None) -> None:
        then = f"; then {afterwards}" if afterwards else ""
        super().__init__(
            f"it is unclear whether the run was started: {failure}{then}. "
            f"Check the list of runs before you start it again (Idempotency-Key {idempotency_key})"
        )
        self.idempotency_key = idempotency_key
        """Repeat the create with this key and the same body on a server that supports keys."""


def headline_of(error: BaseException) -> str:
    """What an error says without text from a body, which may contain a prompt. For log lines."""
    if isinstance(error, ApiError):
        return f"{error.method} {error.path}: {error.status}{_spaced(error.code)}{_closing(error.request_id)}"
    if isinstance(error, (UnexpectedResponseError, ConnectionFailedError)):
        return error.headline
    if isinstance(error, ApiKeyError):
        return "the api_key function failed"
    return plain_line(str(error))


def _describe(error: ApiError) -> str:
    words = ellipsis(error.detail or error.title or _describe_body(error.headers, error.body), 2000)
    # Some services repeat the issues in the detail.
    faults = [f"{issue.path}: {issue.message}" for issue in error.issues[:100]]
    issues = "; ".join(fault for fault in faults if fault not in words)
    said = f": {words}" if words else ""
    shown = f" [{ellipsis(issues, 1000)}]" if issues else ""
    opening = f"{error.method} {error.path}: {error.status}{_spaced(error.code)}"
    return f"{opening}{said}{shown}{_describe_wait(error.headers)}{_closing(error.request_id)}"


def _describe_body(headers: httpx.Headers, body: Any) -> str:
    """What a body that is not a problem document says, as far as one line can show it."""
    if not isinstance(body, str):
        try:
            return "" if body is None else excerpt(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
        except RecursionError:
            return ""
    text = excerpt(body)
    kind = headers.get("content-type") or "no content type"
    return f"{kind} {json.dumps(text, ensure_ascii=False)}" if text else ""


def _describe_wait(headers: httpx.Headers) -> str:
    """Names a requested wait of more than 10 s."""
    seconds = read_retry_after(headers) or 0
    return f"; the server asks to wait {math.ceil(seconds)} s" if 10 < seconds < 2**53 else ""


def _spaced(word: str | None) -> str:
    return f" {word}" if word else ""


def _closing(request_id: str | None) -> str:
    return f" (request id {request_id})" if request_id else ""


def _read_issues(issues: Any) -> tuple[ApiIssue, ...]:
    return tuple(
        ApiIssue(_read_text(issue.get("path")) or "", _read_text(issue.get("message")) or "")
        for issue in (issues if isinstance(issues, list) else [])
        if isinstance(issue, dict)
    )


def _read_code(kind: Any) -> str | None:
    """The last part of the address in `type`. Services write it in snake or kebab case, absolute or relative."""
    if not isinstance(kind, str) or len(kind) > 2000 or kind.startswith("about:"):
        return None
    parts = [part for part in re.split(r"[?#]", kind)[0].split("/") if part]
    if not parts or not re.fullmatch(r"[A-Za-z][\w-]*", parts[-1], re.ASCII):
        return None
    return parts[-1].replace("-", "_")


def _read_text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
