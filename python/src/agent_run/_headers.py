"""What the headers of a response say."""

from __future__ import annotations

import re
import time
from email.utils import parsedate_to_datetime

import httpx


def read_features(headers: httpx.Headers) -> frozenset[str]:
    """The features that a response announces. Other services announce none."""
    words = (word.strip() for word in headers.get("agent-run-features", "").split(","))
    return frozenset(word for word in words if word)


def read_retry_after(headers: httpx.Headers, now: float | None = None) -> float | None:
    """The wait that a response asks for, in seconds; None if it has none that can be read.

    `now` (seconds since the epoch) is for a date in a response without a `Date`."""
    milliseconds = _read_number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after", "")
    seconds = _read_number(text)
    if seconds is not None:
        return seconds
    # The parser accepts almost anything. An HTTP date begins with the day of the week.
    at = read_date(text) if re.match("[A-Z][a-z]{2}", text) else None
    if at is None:
        return None
    # Both dates are by the server's clock.
    sent = read_date(headers.get("date", ""))
    return at - (sent if sent is not None else time.time() if now is None else now)


def _read_number(text: str | None) -> float | None:
    return float(text) if text is not None and re.fullmatch(r"[0-9]+(\.[0-9]+)?", text.strip()) else None


def read_date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def is_compressed(headers: httpx.Headers) -> bool:
    """Whether a body is compressed. This client asks for none: a small one could fill the memory before a limit sees
    any of it."""
    words = {word.strip().lower() for word in headers.get("content-encoding", "").split(",")}
    return not words.isdisjoint(("gzip", "x-gzip", "deflate", "br", "zstd"))
