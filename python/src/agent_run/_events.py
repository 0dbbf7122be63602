"""Reads the events of a run in the best way available:

1. a stream of server-sent events, reopened after the last event if it breaks;
2. JSON pages that wait for more, if no stream gets through (a proxy that buffers responses, a server that only has
   pages) or streams keep bringing nothing new.

A way that was given up is not tried again.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Mapping
from typing import Any

import httpx

from ._address import fill_route
from ._answer import Answer, is_event_stream
from ._errors import ApiError, ConnectionTimeoutError, FeatureUnavailableError
from ._io import Stream
from ._headers import read_features
from ._limits import LAST_LOOK, LONG_POLL, Patience, page_rest, stream_rest
from ._start import NOT_THERE
from ._transport import Request, Transport
from ._types import FINAL_STATES, RunEvent, is_event, is_event_page, is_run

SILENCE = 20.0
"""The server sends a first byte at once and then a comment every 15 s. A silent stream is dead, or a proxy holds it
back."""
EMPTY_STREAMS_MAX = 2
"""After this many consecutive streams without an event, read pages."""
PENDING_MAX = 16 * 1024 * 1024
"""Far above any event of this service. The limit stops an endless line from filling the memory."""


class ServerSentEvents:
    """Parses server-sent events (WHATWG HTML, 9.2.6) from text that may be split anywhere. Ignores `id` and `retry`:
    the caller resumes by event numbers."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._data: list[str] = []
        self._pending = 0
        self._kind = ""
        self._ended_with_return = False

    def read(self, piece: str) -> list[str]:
        """The data of the messages that this piece completes. Raises ValueError for one that is too long."""
        messages = []
        # The "\n" of a line break whose "\r" ended the previous piece.
        at = 1 if self._ended_with_return and piece.startswith("\n") else 0
        if piece:
            self._ended_with_return = piece.endswith("\r")
        for end in re.finditer(r"\r\n?|\n", piece):
            if end.start() < at:
                continue
            line = "".join([*self._line, piece[at : end.start()]])
            self._line = []
            at = end.end()
            message = self._read_line(line)
            if message is not None:
                messages.append(message)
        self._line.append(piece[at:])
        self._pending += len(piece)
        if self._pending > PENDING_MAX:
            raise ValueError(f"an event is longer than {PENDING_MAX} characters")
        return messages

    def _read_line(self, line: str) -> str | None:
        if line == "":
            is_message = self._data and self._kind in ("", "message")
            message = "\n".join(self._data) if is_message else None
            self._data, self._kind, self._pending = [], "", 0
            return message
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._kind = value
        return None


class EventReader:
    """Reads by both ways, one step at a time."""

    def __init__(self, transport: Transport, run_id: str, after: int, options: Mapping[str, Any]) -> None:
        self.after = after
        """The last event that was read."""
        self.is_over = False
        """Whether the run has ended and all its events were read."""
        self.is_good = False
        """Whether the last step worked, so that the next change of state will arrive as an event."""
        self._transport = transport
        self._run_id = run_id
        self._path = fill_route("list_events", run_id=run_id)
        self._patience = Patience(run_id, transport, options)
        self._streams = True
        self._stream: Stream | None = None
        self._before = after
        self._barren_streams = 0
        # Set after a stream without events: a page says whether the run is over.
        self._asks_for_page = False
        self._was_there = False
        self._quiet_polls = 0
        self._news_polls = 0
        self._due = -math.inf

    async def step(self, left: float, idle: float = math.inf) -> list[RunEvent]:
        """The next events; an empty list if there is nothing new, after at most `left` seconds, or after `idle`
        seconds without a request.

        Raises FeatureUnavailableError if the server has no events, RunLostError, ConnectionFailedError if no good
        response came for the tolerance, and any error that waiting cannot fix."""
        rest = self._due - self._transport.clock.monotonic()
        if rest > 0:
            await self._transport.io.sleep(min(rest, left, idle))
            return []
        # Only a stream's end ends a read of it, so shortly before a time limit pages take its place.
        if self._stream is not None and left < SILENCE:
            await self.ask_for_page()
        if self._stream is not None:
            return await self._read_piece(self._stream)
        return await self._connect(left)

    async def ask_for_page(self) -> None:
        """Makes the next step ask for a page: a stream that delivers nothing reports it too late."""
        await self.close()
        self.is_good = False
        self._asks_for_page = True
        self._due = -math.inf

    async def close(self) -> None:
        """Leaves no connection open."""
        stream, self._stream = self._stream, None
        if stream is not None:
            await self._transport.io.close(stream)

    async def _connect(self, left: float) -> list[RunEvent]:
        clock = self._transport.clock
        self._patience.note_asked()
        asked = clock.monotonic()
        streams = self._streams and left >= SILENCE
        takes_stream = streams and not self._asks_for_page
        try:
            answer = await self._ask(takes_stream, 0 if streams else int(min(LONG_POLL, left)), left)
        except Exception as error:
            self.is_good = False
            # Even the headers were held back.
            if takes_stream and isinstance(error, ConnectionTimeoutError):
                self._streams = False
            explained = await self._explain(error, left)
            self._due = clock.monotonic() + self._patience.wait_after(explained, None)
            return []
        self._patience.note_good_answer()
        self._was_there = True
        if answer.stream is None:
            if takes_stream:
                # The server has no streams.
                streams = self._streams = False
            return self._read_page(answer, streams, clock.monotonic() - asked)
        self._stream = answer.stream
        self._before = self.after
        self._parser = ServerSentEvents()
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
        self._has_received = False
        return []

    async def _ask(self, takes_stream: bool, wait: int, left: float) -> Answer:
        limit = min(self._transport.limit("timeout", {}), SILENCE)
        if takes_stream:
            headers: dict[str, str | None] = {"Accept": "text/event-stream, application/json;q=0.5"}
            if self.after > 0:
                headers["Last-Event-ID"] = str(self.after)
        else:
            headers = {"Prefer": f"wait={wait}"} if wait > 0 else {}
            limit = min(limit + wait, left)
        return await self._transport.send(
            Request(
                "GET",
                self._path,
                query={"after": self.after},
                headers=headers,
                is_expected=is_event_page,
                is_idempotent=True,
                wants_stream=is_event_stream if takes_stream else None,
                # The reader's patience covers failed requests.
                options={"max_retries": 0, "timeout": limit, "total_timeout": limit, "on_retry": None},
            )
        )

    async def _explain(self, error: Exception, left: float) -> Exception:
        """The 404 may come from a proxy that does not know the address. The run's response says whether the server
        has events."""
        is_missing = isinstance(error, ApiError) and error.status in NOT_THERE
        if self._was_there or not isinstance(error, ApiError) or not is_missing:
            return error
        if "events" in read_features(error.headers):
            return error
        path = fill_route("read_run", run_id=self._run_id)
        limit = min(SILENCE, max(left, LAST_LOOK))
        options = {"max_retries": 0, "timeout": limit, "total_timeout": limit, "on_retry": None}
        try:
            answer = await self._transport.send(
                Request("GET", path, is_expected=is_run, is_idempotent=True, options=options)
            )
        except Exception as failure:
            return failure
        return error if "events" in read_features(answer.headers) else FeatureUnavailableError("events")

    def _read_page(self, answer: Answer, streams: bool, took: float) -> list[RunEvent]:
        self._asks_for_page = False
        news = self._pick(answer.data["events"])
        self.is_over = answer.data["done"]
        # The run itself says whether it has ended.
        self.is_good = not self.is_over
        self._quiet_polls = 0 if news else self._quiet_polls + 1
        self._news_polls += 1 if news else 0
        server_waits = "wait" in read_features(answer.headers)
        polls = (self._news_polls, server_waits, took, self._quiet_polls)
        rest = stream_rest() if streams else page_rest(len(news), *polls)
        self._due = self._transport.clock.monotonic() + rest
        return news

    async def _read_piece(self, stream: Stream) -> list[RunEvent]:
        try:
            piece = await self._transport.io.read(stream, SILENCE)
        except (httpx.HTTPError, httpx.StreamError, OSError):
            piece = None
        if not piece:
            # Nothing at all arrived: a proxy holds the stream back.
            await self._end_stream(is_useless=not self._has_received)
            return []
        self._has_received = self.is_good = True
        try:
            events = [_parse(message) for message in self._parser.read(self._decode(piece))]
        except (ValueError, RecursionError):
            await self._end_stream(is_useless=True)
            return []
        news = self._pick(events)
        if news and news[-1].type == "state" and news[-1].data.get("state") in FINAL_STATES:
            # The server closes the stream after the last event; a proxy may not. A page says that it was the last.
            await self.ask_for_page()
        return news

    async def _end_stream(self, is_useless: bool = False) -> None:
        if self._stream is None:
            return
        await self.close()
        self.is_good = False
        self._asks_for_page = self.after == self._before
        self._barren_streams = self._barren_streams + 1 if self._asks_for_page else 0
        if is_useless or self._barren_streams >= EMPTY_STREAMS_MAX:
            self._streams = False
        self._due = self._transport.clock.monotonic() + stream_rest()

    def _pick(self, events: list[Mapping[str, Any]]) -> list[RunEvent]:
        """The events that are new."""
        news = []
        for event in events:
            if event["seq"] > self.after:
                self.after = event["seq"]
                news.append(RunEvent.read(event))
        return news


def _parse(message: str) -> Mapping[str, Any]:
    """Raises ValueError for anything but an event of a run."""
    event = json.loads(message)
    if not is_event(event):
        raise ValueError("not an event of a run")
    return event  # type: ignore[no-any-return]
