"""Turns a response and its body into the service's answer, or into an error that says what came instead."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from ._errors import UnexpectedResponseError, api_error
from ._headers import is_compressed
from ._io import Reply, Stream
from ._text import KnownKeys

_ERROR_CHARACTERS = 128 * 1024
"""The part of a body that an error keeps. Every problem document is shorter."""


@dataclass
class Answer:
    """The service's answer to a call."""

    status: int
    headers: httpx.Headers
    content: bytes
    data: Any = None
    """Parsed JSON, or text; None if there is no body."""
    stream: Stream | None = None
    """Set if the call accepted a stream. Its body is unread."""


@dataclass(frozen=True)
class Expectation:
    """What a call accepts as an answer."""

    method: str
    path: str
    as_: str
    """`json` needs a document. `text` needs plain text from a server that sends the features header. `any-json`,
    `any-text` and `bytes` accept an empty body."""
    is_expected: Callable[[Any], bool] | None = None
    takes_not_modified: bool = False


def read_answer(call: Expectation, reply: Reply, keys: KnownKeys) -> Answer:
    """Raises ApiError for an error status and UnexpectedResponseError for a response that this service does not
    send. Neither contains a secret."""
    status, headers, content = reply.response.status_code, reply.response.headers, reply.content
    answer = Answer(status, headers, content)

    def shown() -> str:
        # No character has more than 4 bytes. A file may be large.
        return keys.redact(content[: 8 * _ERROR_CHARACTERS].decode("utf-8", "replace"))[:_ERROR_CHARACTERS]

    def refusal(why: str, cut: bool = False) -> UnexpectedResponseError:
        redacted = keys.redact_headers(headers)
        return UnexpectedResponseError(call.method, call.path, status, redacted, shown(), keys.redact(why), cut)

    if status == 304 and call.takes_not_modified:
        return answer
    if status >= 400:
        try:
            # Redacted again after it is parsed: JSON can spell a key in another way.
            body = keys.redact_value(_parse_loosely(shown()))
        except RecursionError:
            body = shown()
        raise api_error(call.method, call.path, status, keys.redact_headers(headers), body)
    if is_compressed(headers):
        raise refusal("is compressed, although that was not asked for")
    if status < 200 or status >= 300:
        raise refusal(_describe_redirect(reply.response))
    # Only this header shows that plain text was cut.
    size = headers.get("agent-run-result-bytes")
    if size is not None and size != str(len(content)) and call.method != "HEAD":
        raise refusal("has a truncated result", True)
    if call.as_ == "bytes":
        answer.data = content
        return answer
    text = content.decode("utf-8", "replace")
    kind = headers.get("content-type", "")
    if not content:
        if call.as_.startswith("any-"):
            return answer
        # An empty JSON body was cut, unless the status says that there is no body.
        raise refusal("has no body", status != 204 and _is_json(kind))
    if call.as_ == "text":
        if not re.match(r"text/plain\b", kind, re.IGNORECASE):
            raise refusal("is not plain text")
        # A result can be any text, so only the header tells it from a maintenance page.
        if "agent-run-features" not in headers:
            raise refusal("is text from another service")
        answer.data = text
        return answer
    if call.as_ == "any-text":
        if re.search(r"\bx?html\b", kind, re.IGNORECASE):
            raise refusal("is an HTML page")
        answer.data = text
        return answer
    if not _is_json(kind):
        raise refusal("is not JSON")
    answer.data = _parse_json(text.removeprefix("\ufeff"))
    if answer.data is _INVALID:
        raise refusal("has truncated or invalid JSON", True)
    if call.is_expected is not None and not call.is_expected(answer.data):
        raise refusal("is JSON, but not what this service sends")
    return answer


def is_event_stream(response: httpx.Response) -> bool:
    """Whether a response is an open stream of server-sent events."""
    kind = response.headers.get("content-type", "")
    is_stream = re.match(r"text/event-stream\b", kind, re.IGNORECASE) is not None
    return response.status_code == 200 and is_stream and not is_compressed(response.headers)


_INVALID = object()


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return _INVALID


def _refuse_constant(word: str) -> None:
    """JSON has no NaN and no Infinity, although Python writes and reads them."""
    raise ValueError(f"{word} is not JSON")


def _parse_loosely(text: str) -> Any:
    data = _parse_json(text)
    return (text or None) if data is _INVALID else data


def _is_json(kind: str) -> bool:
    return re.match(r"application/([\w.+-]+\+)?json\b", kind, re.IGNORECASE) is not None


def _describe_redirect(response: httpx.Response) -> str:
    """Redirects are not followed, because the key would be sent along."""
    if response.status_code < 300 or response.status_code == 304:
        return "is not an answer to this request"
    location = response.headers.get("location")
    # The rest of the address may contain a token.
    try:
        target = urlsplit(urljoin(str(response.url), location)) if location else None
    except ValueError:
        target = None
    to = f" to {target.scheme}://{target.netloc.rpartition('@')[2]}" if target else ""
    return f"redirects{to}, which is not followed"
