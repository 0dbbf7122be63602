"""How long and how fast to follow a run. Only differences of the monotonic clock count, never a server's time."""

from __future__ import annotations

import math
import random as _random
from collections.abc import Mapping
from typing import Any, TypeGuard

from ._errors import (
    ConnectionFailedError,
    NotFoundError,
    RunLostError,
    UnexpectedResponseError,
    headline_of,
)
from ._options import NOT_FOUND_GRACE, TOLERANCE
from ._retry import is_proxy_answer, judge, retry_delay
from ._transport import Transport
from ._types import Run

LONG_POLL = 25.0
LAST_LOOK = 2.0
"""The limit for a look that following must not wait for."""
_FLOOR = 0.25
"""The minimum time between polls that bring news, after the first ones."""
_PROMPT_NEWS = 4
"""Polls with news that are followed by the next at once. Short runs are known at their end."""
_PAGE_FLOOR = 0.5
"""The minimum time between pages of events, so that an agent with constant output does not use up the rate limit."""
FULL_PAGE = 1000
_PROMPT = 1.0
"""A long poll without news that ended sooner did not wait. Such a server gets plain polls."""
_WAITING = ("QUEUED", "PENDING", "CLAIMED")


def is_waiting(state: str) -> bool:
    """Whether a run waits to start. Unknown states count as running."""
    return state in _WAITING


def quiet_rest(server_waits: bool, took: float, quiet_polls: int) -> float:
    """0 after a long poll that waited. Otherwise 2 s growing to 15 s, minus up to a fifth as jitter."""
    if server_waits and took >= _PROMPT:
        return 0
    return min(2.0 * 1.5 ** min(quiet_polls, 20), 15.0) * (0.8 + 0.2 * _random.random())


def run_rest(has_news: bool, news_polls: int, server_waits: bool, took: float, quiet_polls: int) -> float:
    """How long to wait before the next poll of a run. `news_polls` counts those that brought news, with this one."""
    if server_waits and has_news:
        return 0 if news_polls <= _PROMPT_NEWS else max(0.0, _FLOOR - took)
    return quiet_rest(server_waits, took, quiet_polls)


def page_rest(news: int, news_polls: int, server_waits: bool, took: float, quiet_polls: int) -> float:
    """How long to wait before the next page of events. After a full page, more events are ready."""
    if news >= FULL_PAGE:
        return 0
    if server_waits and news > 0:
        return 0 if news_polls <= _PROMPT_NEWS else max(0.0, _PAGE_FLOOR - took)
    return quiet_rest(server_waits, took, quiet_polls)


def stream_rest() -> float:
    """How long to wait before reopening a stream. The jitter spreads out clients that lost the same server."""
    return _FLOOR * (1 + _random.random())


class Patience:
    """How long following tolerates a failing server: the time without a good answer, not the number of failures."""

    def __init__(self, run_id: str, transport: Transport, options: Mapping[str, Any]) -> None:
        self._run_id = run_id
        self._transport = transport
        self._tolerance: float = options.get("tolerance", TOLERANCE)
        self._asked = transport.clock.monotonic()
        self._grace_end: float = self._asked + options.get("not_found_grace", NOT_FOUND_GRACE)
        self._failing_since = 0.0
        self._failures = 0

    def note_asked(self) -> None:
        """Called before each poll. Time that the caller spent since the last one is not a failure of the server."""
        self._asked = self._transport.clock.monotonic()

    def note_good_answer(self) -> None:
        if self._failures > 0:
            self._transport.log(20, f"run {self._run_id}: the server is answering again")
        self._failures = 0

    def wait_after(self, error: Exception, state: str | None) -> float:
        """The wait before the next poll.

        Raises the error itself if waiting cannot fix it, RunLostError for a run that does not exist, and
        ConnectionFailedError when the tolerance is used up."""
        if self._failures == 0:
            self._failing_since = self._asked
        # Measured from the start of the poll: a machine that slept during a poll says nothing about the server.
        is_too_long = self._asked - self._failing_since >= self._tolerance
        if _is_run_missing(error):
            if is_too_long or self._asked >= self._grace_end:
                raise RunLostError(self._run_id, state, error) from error
        elif not _is_curable(error):
            raise error
        elif is_too_long:
            raise ConnectionFailedError(
                f"run {self._run_id}: no good answer for {self._tolerance:g} s; last failure: {error}",
                host=self._transport.host,
                fault="other",
                never_left=False,
            ) from error
        if self._failures == 0:
            self._transport.log(30, f"run {self._run_id}: {headline_of(error)}; still following")
        self._failures += 1
        return retry_delay(error, self._failures - 1, self._transport.clock.now())


def _is_run_missing(error: Exception) -> TypeGuard[NotFoundError]:
    """Whether the service itself says that the run does not exist. A proxy that lost its server does not count."""
    if not isinstance(error, NotFoundError):
        return False
    return error.code is not None or (isinstance(error.body, dict) and isinstance(error.body.get("error"), str))


def _is_curable(error: Exception) -> bool:
    if isinstance(error, (UnexpectedResponseError, NotFoundError)):
        return True
    return is_proxy_answer(error) or judge(error) != "final"


class FollowLimits:
    """The time limits of following. Durations start when this client saw a change."""

    def __init__(self, options: Mapping[str, Any], now: float) -> None:
        names = ("queue", "run", "stall")
        self._limits: dict[str, float] = {name: options.get(f"{name}_timeout", math.inf) for name in names}
        self._total: float = options.get("timeout", math.inf)
        self._began = self._phase_began = self._active_at = now
        self._state: str | None = None
        self._activity: tuple[Any, ...] = ()
        self._silent_since: float | None = None
        self._seq = 0

    def note_run(self, run: Run, now: float) -> None:
        """Call this with every whole run that arrives."""
        if self._state is None or is_waiting(self._state) != is_waiting(run.state):
            self._phase_began = now
        self._state = run.state
        activity = (run.state, run.attempt, run.updated_at, run.last_seq)
        # Events that arrived before the run reported them already counted as activity.
        is_known = self._seq > 0 and run.last_seq is not None and run.last_seq <= self._seq
        if activity != self._activity and not is_known:
            self._active_at = now
        self._activity = activity

    def note_event(self, seq: int, now: float) -> None:
        self._seq = seq
        self.note_answer(now)
        self._active_at = now

    def note_silence(self, since: float) -> None:
        """A look that began at `since` failed. Time without a server is not a stall: the run may be active."""
        if self._silent_since is None:
            self._silent_since = since

    def note_answer(self, now: float) -> None:
        self._active_at += self._silence(now)
        self._silent_since = None

    def nearest(self, now: float) -> tuple[str, float, float]:
        """The limit that is reached next, its seconds, and the seconds left."""
        phase = "queue" if self._state is None or is_waiting(self._state) else "run"
        stall = self._limits["stall"] if self._may_stall() else math.inf
        limits: list[tuple[str, float, float]] = [
            (phase, self._limits[phase], self._limits[phase] - (now - self._phase_began)),
            ("stall", stall, stall - (now - self._active_at - self._silence(now))),
            ("total", self._total, self._total - (now - self._began)),
        ]
        return min(limits, key=lambda limit: limit[2])

    def longest_without_run(self) -> float:
        """How long answers without a whole run are enough. Log lines change `updated_at`, but not the version that a
        long poll waits for."""
        return self._limits["stall"] / 4 if self._may_stall() else math.inf

    def _silence(self, now: float) -> float:
        return 0 if self._silent_since is None else now - self._silent_since

    def _may_stall(self) -> bool:
        return self._state is not None and not is_waiting(self._state) and self._state != "BLOCKED"
