"""A clock for tests: waits take almost no time and still count."""

from __future__ import annotations

import asyncio
import time

#: So that a client that polls with growing intervals does not use up its time limit while a run works.
LONGEST_SLEEP = 0.02


class LeapingClock:
    """Real time plus the rest of every sleep beyond `LONGEST_SLEEP` seconds."""

    def __init__(self) -> None:
        self._leapt = 0.0

    def now(self) -> float:
        return time.time() + self._leapt

    def monotonic(self) -> float:
        return time.monotonic() + self._leapt

    def sleep(self, seconds: float) -> None:
        time.sleep(min(seconds, LONGEST_SLEEP))
        self._leapt += max(seconds - LONGEST_SLEEP, 0)

    async def asleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, LONGEST_SLEEP))
        self._leapt += max(seconds - LONGEST_SLEEP, 0)
