"""Foreign text inside this client's sentences: on one line, without control characters, without keys."""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Iterable
from typing import Any

import httpx

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SHORTEST_KEY = 4
"""Redacting shorter strings would make sentences unreadable."""
_KEYS_KEPT = 100
"""A key function may return a new key every few minutes, for months."""


def plain_line(text: str) -> str:
    """Replaces control characters, with which a server could hide text or forge log lines, by spaces."""
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub(" ", text))


def ellipsis(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis for what was cut."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def excerpt(text: str) -> str:
    """The start of a body, for a message."""
    return ellipsis(" ".join(plain_line(text[:2000]).split()), 200)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`. Did you mean "x"?`, or nothing: the end of an error about an unknown word."""
    guesses = difflib.get_close_matches(word.lower(), list(known), 1, 0.7)
    return f'. Did you mean "{guesses[0]}"?' if guesses else ""


class KnownKeys:
    """The API keys that a client has sent. A server may repeat them, so errors and log lines redact them."""

    def __init__(self) -> None:
        self._keys: dict[str, None] = {}

    def add(self, key: str) -> None:
        if len(key) < _SHORTEST_KEY or key == next(reversed(self._keys), None):
            return
        # The last one used stays longest. A new dictionary, because another thread may be redacting.
        kept = [known for known in self._keys if known != key][1 - _KEYS_KEPT :]
        self._keys = dict.fromkeys([*kept, key])

    def redact(self, text: str) -> str:
        for key in sorted(self._keys, key=len, reverse=True):
            text = text.replace(key, "***")
        return text

    def cause(self, error: BaseException) -> BaseException | None:
        """The error; None if its traceback would show a key."""
        text = "".join(traceback.format_exception(type(error), error, None))
        return error if self.redact(text) == text else None

    def redact_value(self, value: Any) -> Any:
        """Redacts every string in a JSON value."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, list):
            return [self.redact_value(item) for item in value]
        if isinstance(value, dict):
            return {self.redact(name): self.redact_value(item) for name, item in value.items()}
        return value

    def redact_headers(self, headers: httpx.Headers) -> httpx.Headers:
        return httpx.Headers(
            [(name, self.redact(value.decode("latin-1")).encode("latin-1")) for name, value in headers.raw]
        )
