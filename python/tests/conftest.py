"""Fixtures: the real server on a free port of this machine, and an environment without settings of the client."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from server_process import LoopbackServer, ServerProcess


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
def server(server_process: ServerProcess) -> Iterator[LoopbackServer]:
    """A server without faults, for one test."""
    server = server_process.open()
    yield server
    server.stop()
