"""Decides whether and when to retry. `_transport.py` does the waiting."""

from __future__ import annotations

import random as _random
from collections.abc import Callable
from typing import TypeGuard

from ._errors import (
    AgentRunsError,
    ApiError,
    ApiKeyError,
    ConnectionFailedError,
    UnexpectedResponseError,
)
from ._headers import read_features, read_retry_after

BASE_DELAY = 0.5
LONGEST_DELAY = 8.0
LONGEST_SERVER_DELAY = 60.0
"""Longer delays requested by a server are cut to this."""

_HOPELESS = {"certificate", "tls", "fetch"}


def judge(error: BaseException) -> str:
    """What a failure says about its request.

    - `final`: the same request would fail again, so it is not retried;
    - `not-done`: it was certainly not carried out, so anything may be retried;
    - `unknown`: it may have been carried out, so only idempotent requests are retried.

    The server's own hint (`x-should-retry`, then `retryable: false`) overrides the status."""
    if isinstance(error, ConnectionFailedError):
        if error.fault in _HOPELESS:
            return "final"
        return "not-done" if error.never_left else "unknown"
    if isinstance(error, UnexpectedResponseError):
        return "unknown" if error.cut else "final"
    if isinstance(error, ApiKeyError):
        return "not-done" if error.retryable else "final"
    return _judge_answer(error) if isinstance(error, ApiError) else "final"


def may_be_done(error: BaseException) -> bool:
    """Whether the request may have been carried out. A `final` verdict does not rule that out."""
    # An unreadable response may stand for a success, and a proxy may have replaced it with a redirect.
    if isinstance(error, UnexpectedResponseError):
        return True
    if isinstance(error, ConnectionFailedError):
        return not error.never_left
    # An unforeseen error in the client says nothing about the server.
    if not isinstance(error, ApiError):
        return not isinstance(error, AgentRunsError)
    # By definition this code is a refusal, and only such a service uses it.
    if error.status in (501, 505) or error.code == "environment_setup_failed":
        return False
    return (error.status == 408 or error.status >= 500) and not _is_unavailable(error)


def _judge_answer(error: ApiError) -> str:
    repeat = "unknown" if may_be_done(error) else "not-done"
    word = error.headers.get("x-should-retry")
    if word == "true":
        return repeat
    if word == "false" or error.retryable is False:
        return "final"
    if error.status == 409:
        return repeat if error.retryable is True else "final"
    if error.status in (501, 505):
        return "final"
    return repeat if error.status >= 500 or error.status in (408, 425, 429) else "final"


def is_proxy_answer(error: BaseException) -> TypeGuard[ApiError]:
    """Whether something in front of the service answered, so that the service may answer the next attempt.

    A response that forbids retries is obeyed."""
    return isinstance(error, ApiError) and error.is_proxy_response and error.headers.get("x-should-retry") != "false"


def is_service_answer(error: ApiError) -> bool:
    """Whether the service itself answered: with a problem document, or with this project's features header."""
    if read_features(error.headers) or "problem+json" in error.headers.get("content-type", ""):
        return True
    body = error.body
    if not isinstance(body, dict):
        return False
    title = body.get("title")
    return bool(body.get("type") and body.get("status") and (body.get("error") if title is None else title))


def is_own_server_answer(error: ApiError) -> bool:
    """Whether this project's server answered, rather than a proxy or another service."""
    return error.code is not None and "idempotency" in read_features(error.headers)


def _is_unavailable(error: ApiError) -> bool:
    """This project's server sends 503 before it does anything. Any other 503 says nothing about what was done."""
    return error.status == 503 and error.code == "resource_unavailable" and is_own_server_answer(error)


def backoff(attempt: int, random: Callable[[], float] = _random.random) -> float:
    """Half to all of the doubled delay, so that many clients do not return together. `attempt` counts from 0."""
    delay: float = min(BASE_DELAY * 2 ** min(attempt, 16), LONGEST_DELAY)
    return delay * (0.5 + random() / 2)


def retry_delay(
    error: BaseException, attempt: int, now: float, random: Callable[[], float] = _random.random
) -> float:
    """The seconds before retry number `attempt` (from 0): the server's delay, otherwise backoff."""
    told = server_delay(error, now)
    if told is None or told <= 0:
        return backoff(attempt, random)
    return min(told + random() * BASE_DELAY, LONGEST_SERVER_DELAY)


def server_delay(error: BaseException, now: float) -> float | None:
    """The delay that the response asks for, in seconds; None if it has none that can be read."""
    return read_retry_after(error.headers, now) if isinstance(error, ApiError) else None
