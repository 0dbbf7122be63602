"""Follows a run in one loop.

The run is polled with conditional long polls if the server announces `wait`, otherwise at growing intervals. If the
caller wants the events, the loop reads them meanwhile, and looks at the run only when an event reports a change of
state. Events decide nothing: only the run says what became of it.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from ._address import fill_route
from ._answer import Answer
from ._errors import FeatureUnavailableError, FollowTimeoutError, headline_of
from ._events import EventReader
from ._headers import read_features
from ._limits import LAST_LOOK, LONG_POLL, FollowLimits, Patience, is_waiting, run_rest
from ._options import EVENTS_GRACE
from ._text import plain_line
from ._transport import Request, Transport
from ._types import KNOWN_STATES, Run, RunEvent, is_run_of

PATIENCE_NAMES = ("tolerance", "not_found_grace")
FOLLOW_NAMES = (
    *("timeout", "queue_timeout", "run_timeout", "stall_timeout"),
    *("on_event", "on_states_only", "events_grace"),
    *PATIENCE_NAMES,
)
EVENTS_NAMES = ("after", "on_states_only", *PATIENCE_NAMES)

AFTER_ACTIVITY = 0.25
"""The next long poll can start at once if a look for activity came between the two."""
EVENTFUL_LOOK = 300.0
"""The run is read this often even if no event reports a change."""


class Follower:
    """Follows one run."""

    def __init__(self, transport: Transport, run_id: str, options: Mapping[str, Any]) -> None:
        self._transport = transport
        self._clock = transport.clock
        self._run_id = run_id
        self._path = fill_route("read_run", run_id=run_id)
        self._options = dict(options)
        self._patience = Patience(run_id, transport, options)
        now = self._clock.monotonic()
        self._limits = FollowLimits(options, now)
        self._run: Run | None = None
        self._etag: str | None = None
        self._whole_at = now
        self._left = math.inf
        self._looks_for_life = False
        self._quiet_polls = 0
        self._news_polls = 0
        self._rest = 0.0
        self._failure: Exception | None = None
        self._reader: EventReader | None = None
        self._reads_events = "on_event" in options
        self._strange_states: set[str] = set()
        self._has_begun = False

    async def next_run(self) -> Run:
        """The run now, and after every change except changes of times alone.

        Raises FollowTimeoutError, RunLostError, ConnectionFailedError if no good response came for the tolerance, and
        any error that waiting cannot fix (401, 403, other 4xx from the service)."""
        while True:
            if self._has_begun:
                await self._wait()
            self._has_begun = True
            run = await self._look()
            if run is not None:
                if run.is_final or run.state == "BLOCKED":
                    await self._catch_up(run)
                return run

    async def _look(self) -> Run | None:
        """Polls once; the run if it changed. A tolerated failure counts as no change."""
        self._patience.note_asked()
        asked = self._clock.monotonic()
        try:
            answer = await self._poll(asked)
        except Exception as error:
            self._failure = error
            self._rest = self._patience.wait_after(error, self._shown_state())
            self._limits.note_silence(asked)
            return None
        self._failure = None
        now = self._clock.monotonic()
        self._limits.note_answer(now)
        self._patience.note_good_answer()
        news = None if answer.status == 304 else (await self._take(answer, now))
        self._quiet_polls = 0 if news else self._quiet_polls + 1
        self._news_polls += 1 if news else 0
        server_waits = self._etag is not None and self._reader is None
        self._rest = (
            AFTER_ACTIVITY
            if self._looks_for_life
            else run_rest(news is not None, self._news_polls, server_waits, now - asked, self._quiet_polls)
        )
        return news

    async def _poll(self, now: float) -> Answer:
        _, _, self._left = self._limits.nearest(now)
        left = self._left
        without_run = self._limits.longest_without_run() - (now - self._whole_at)
        self._looks_for_life = self._etag is not None and (without_run <= 0 or left <= 0)
        etag = None if self._looks_for_life else self._etag
        # After a failure, a short poll finds out sooner whether the server is back.
        may_wait = etag is not None and self._failure is None and self._reader is None
        wait = int(max(0, min(LONG_POLL, left, without_run))) if may_wait else 0
        timeout: float = self._transport.limit("timeout", {})
        limit = min(timeout + wait, left if left > 0 else LAST_LOOK)
        headers: dict[str, str | None] = {}
        if etag is not None:
            headers["If-None-Match"] = etag
        if wait > 0:
            headers["Prefer"] = f"wait={wait}"
        return await self._transport.send(
            Request(
                "GET",
                self._path,
                headers=headers,
                is_expected=is_run_of(self._run_id),
                takes_not_modified=etag is not None,
                is_idempotent=True,
                # The patience of following covers failed polls.
                options={"max_retries": 0, "timeout": limit, "total_timeout": limit, "on_retry": None},
            )
        )

    async def _take(self, answer: Answer, now: float) -> Run | None:
        run, before = Run.read(answer.data), self._run
        self._run = run
        self._whole_at = now
        self._limits.note_run(run, now)
        features = read_features(answer.headers)
        etag = answer.headers.get("etag", "") if "wait" in features else ""
        self._etag = etag if etag and etag.isascii() and etag.isprintable() else None
        if self._reads_events and self._reader is None:
            if "events" in features:
                self._reader = EventReader(self._transport, self._run_id, 0, self._options)
            elif (on_states_only := self._options.pop("on_states_only", None)) is not None:
                await self._transport.io.call(on_states_only)
        if run.state not in KNOWN_STATES and run.state not in self._strange_states and len(self._strange_states) < 5:
            self._strange_states.add(run.state)
            words = f'unknown state "{self._shown_state()}"; treating the run as still running'
            self._transport.log(30, f"run {self._run_id}: {words}")
        return run if before is None or _fingerprint(before) != _fingerprint(run) else None

    async def _wait(self) -> None:
        """Waits until the next look is due, and reads events meanwhile. Raises FollowTimeoutError if a limit was
        reached before the last look began."""
        began = self._clock.monotonic()
        while True:
            now = self._clock.monotonic()
            limit, timeout, left = self._limits.nearest(now)
            if left <= 0 and self._left > 0:
                return
            if left <= 0:
                state = None if self._run is None else self._run.state
                raise FollowTimeoutError(
                    run_id=self._run_id,
                    limit=limit,
                    timeout=timeout,
                    state=self._shown_state(),
                    phase=None if state is None else "queue" if is_waiting(state) else "run",
                    failure=self._failure,
                ) from self._failure
            # While the run cannot be read, keep polling even if events arrive.
            is_told = self._failure is None and self._reader is not None and self._reader.is_good
            due = (EVENTFUL_LOOK if is_told else self._rest) - (now - began)
            if due < 0.001:
                return
            if self._reader is None or self._reader.is_over:
                await self._transport.io.sleep(min(due, left))
            elif await self._read_events(left, due):
                return

    async def _read_events(self, left: float, idle: float) -> bool:
        """Reads the next events; whether one of them reports a change of state since the last look."""
        assert self._reader is not None
        try:
            events = await self._reader.step(left, idle)
        except Exception as error:
            await self.close()
            self._transport.log(30, f"run {self._run_id}: its events can no longer be read: {headline_of(error)}")
            self._reader, self._reads_events = None, False
            return False
        for event in events:
            self._limits.note_event(event.seq, self._clock.monotonic())
            await self._transport.io.call(self._options["on_event"], event)
        known = (self._run and self._run.last_seq) or 0
        return any(event.type == "state" and event.seq > known for event in events)

    async def _catch_up(self, run: Run) -> None:
        """Delivers the events that the run had when it was read. If none arrives for the grace period, it asks for
        them by pages, once."""
        grace: float = self._options.get("events_grace", EVENTS_GRACE)
        asks_for_page = False
        latest = min(0.0, self._limits.nearest(self._clock.monotonic())[2]) - grace
        while (reader := self._reader) is not None and not reader.is_over and reader.after < (run.last_seq or 0):
            before, began = reader.after, self._clock.monotonic()
            while self._reader is not None and reader.after == before and not reader.is_over:
                left = grace - (self._clock.monotonic() - began)
                if left <= 0:
                    break
                await self._read_events(left, left)
            is_late = self._limits.nearest(self._clock.monotonic())[2] <= latest
            if self._reader is None or reader.is_over or (reader.after > before and not is_late):
                continue
            if asks_for_page or is_late:
                self._transport.log(30, f"run {self._run_id}: not all of its events arrived in time")
                return
            asks_for_page = True
            await reader.ask_for_page()

    async def close(self) -> None:
        """Leaves no connection open."""
        if self._reader is not None:
            await self._reader.close()

    def _shown_state(self) -> str | None:
        """The state made safe for a message: a server may send any text."""
        return None if self._run is None else plain_line(self._transport.keys.known.redact(self._run.state[:200]))


def _fingerprint(run: Run) -> tuple[Any, ...]:
    """The members whose change is news to a follower."""
    names = ("state", "attempt", "session_link", "cancel_requested_at", "status_message", "result", "artifacts")
    return tuple(run.raw.get(name) for name in names)


async def follow(transport: Transport, run_id: str, options: Mapping[str, Any]) -> AsyncGenerator[Run, None]:
    """The run now and after every change, up to its final state."""
    follower = Follower(transport, run_id, options)
    try:
        while True:
            run = await follower.next_run()
            yield run
            if run.is_final:
                return
    finally:
        await follower.close()


async def events(transport: Transport, run_id: str, options: Mapping[str, Any]) -> AsyncGenerator[RunEvent, None]:
    """Every event after `after` once, in order. On a server without events, an event of the type `state`, with `seq`
    0, for each state seen."""
    reader = EventReader(transport, run_id, options.get("after", 0), options)
    try:
        while not reader.is_over:
            for event in await reader.step(math.inf):
                yield event
        return
    except FeatureUnavailableError as error:
        transport.log(20, f"run {run_id}: {error}; following only its state")
    finally:
        await reader.close()
    if "on_states_only" in options:
        await transport.io.call(options["on_states_only"])
    patience = {name: options[name] for name in PATIENCE_NAMES if name in options}
    async for run in follow(transport, run_id, patience):
        data = {"state": run.state}
        if run.status_message is not None and run.status_message.message:
            data["message"] = run.status_message.message
        yield RunEvent(raw={}, seq=0, at=run.updated_at, type="state", data=data)
