"""Runs one test with both clients."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from agent_run import AgentRuns, AsyncAgentRuns

KEY = "key-0123456789"
BASE = "https://service.test"

Answers = Callable[[httpx.Request], httpx.Response]


class Both:
    """One of the two clients."""

    def __init__(self, is_async: bool) -> None:
        self.is_async = is_async
        self.asked: list[httpx.Request] = []

    def ask(self, work: Callable[[Any], Any], answers: Answers | None = None, **options: Any) -> Any:
        """What `work(client)` gives, awaited; a list if it can be iterated. `answers` replaces the network."""

        def record(request: httpx.Request) -> httpx.Response:
            assert answers is not None
            request.read()
            self.asked.append(request)
            return answers(request)

        given: dict[str, Any] = {"base_url": BASE, "api_key": KEY, **options}
        if not self.is_async:
            if answers is not None:
                given["http_client"] = httpx.Client(transport=httpx.MockTransport(record))
            with AgentRuns(**given) as client:
                value = work(client)
                return list(value) if hasattr(value, "__next__") else value

        async def main() -> Any:
            if answers is not None:
                given["http_client"] = httpx.AsyncClient(transport=httpx.MockTransport(record))
            async with AsyncAgentRuns(**given) as client:
                value = work(client)
                if inspect.isasyncgen(value):
                    return [one async for one in value]
                return await value if inspect.isawaitable(value) else value

        return asyncio.run(main())

    @property
    def paths(self) -> list[str]:
        """The requests so far: `GET /agent/runs`."""
        return [f"{one.method} {one.url.path.removeprefix('/api/v1')}" for one in self.asked]


@pytest.fixture(params=["AgentRuns", "AsyncAgentRuns"])
def both(request: pytest.FixtureRequest) -> Both:
    return Both(request.param == "AsyncAgentRuns")


class HandClock:
    """A clock that moves only while the client sleeps."""

    def __init__(self) -> None:
        self.time = 1_900_000_000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.slept.append(seconds)
        self.time += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)
        await asyncio.sleep(0)
