"""Fixtures: the real server on a free port of this machine, and an environment without settings of the client."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Protocol

import pytest
from server_process import FaultPlan, Json, LoopbackServer, ServerProcess


class OpenServer(Protocol):
    def __call__(
        self, *, faults: FaultPlan = (), features: str | Sequence[str] | None = None, limits: Json | None = None
    ) -> LoopbackServer: ...


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the address and key of a developer nor a proxy reaches a test."""
    for name in list(os.environ):
        if name.startswith(("AGENT_RUN_", "WARP_", "OZ_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def server_process() -> Iterator[ServerProcess]:
    """The Node process of all servers."""
    process = ServerProcess()
    yield process
    process.close()


@pytest.fixture
def open_server(server_process: ServerProcess) -> Iterator[OpenServer]:
    """Starts servers that are stopped after the test."""
    opened: list[LoopbackServer] = []

    def open_one(
        *, faults: FaultPlan = (), features: str | Sequence[str] | None = None, limits: Json | None = None
    ) -> LoopbackServer:
        server = server_process.open(faults=faults, features=features, limits=limits)
        opened.append(server)
        return server

    yield open_one
    for server in opened:
        server.stop()


@pytest.fixture
def server(open_server: OpenServer) -> LoopbackServer:
    """A server without faults, for one test."""
    return open_server()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
