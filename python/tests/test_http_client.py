"""The httpx client that a caller passes, and clients that are closed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from agent_run import AgentRuns, AsyncAgentRuns, ConfigurationError

SERVICE: dict[str, Any] = {"base_url": "http://127.0.0.1:9", "api_key": "key-of-a-test"}


def test_a_client_of_the_other_kind_is_refused_before_a_create_could_use_it() -> None:
    with httpx.Client() as http, pytest.raises(ConfigurationError, match="must be httpx.AsyncClient, not Client"):
        AsyncAgentRuns(**SERVICE, http_client=http)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="must be httpx.Client, not AsyncClient"):
        AgentRuns(**SERVICE, http_client=httpx.AsyncClient())  # type: ignore[arg-type]


def test_a_create_of_a_closed_client_started_nothing_and_says_so() -> None:
    with AgentRuns(**SERVICE) as client:
        pass
    with pytest.raises(ConfigurationError, match="the client is closed"):
        client.runs.create("Say hello.")

    async def create() -> None:
        async with AsyncAgentRuns(**SERVICE) as client:
            pass
        await client.runs.create("Say hello.")

    with pytest.raises(ConfigurationError, match="the client is closed"):
        asyncio.run(create())
