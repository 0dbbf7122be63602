"""This repository's server with planned faults, in one Node process for all tests. See server.ts for its commands."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]

Json = dict[str, Any]
FaultPlan = Sequence[Json]


@dataclass(frozen=True)
class Report:
    """What a server saw. Members are spelled as in docs/testing.md."""

    faults_met: list[Json]
    runs: list[Json]


class LoopbackServer:
    """A server on a free port of 127.0.0.1."""

    def __init__(self, process: ServerProcess, number: int, base_url: str, api_key: str) -> None:
        self._process = process
        self._number = number
        self.base_url = base_url
        self.api_key = api_key

    def report(self) -> Report:
        """Ends the faults, and waits for the end of every run."""
        answer = self._process.ask({"report": self._number})
        return Report(answer["faultsMet"], answer["runs"])

    def stop(self) -> None:
        self._process.ask({"stop": self._number})


class ServerProcess:
    """A Node process that starts servers. Close it afterwards."""

    def __init__(self) -> None:
        own = ROOT / "node_modules" / ".bin" / "node"
        node = str(own) if own.exists() else shutil.which("node")
        if node is None:
            raise RuntimeError("there is no Node; run `npm ci` in the repository")
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [node, "--disable-warning=ExperimentalWarning", str(HERE / "server.ts")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def ask(self, command: Json) -> Json:
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(command) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if line == "":
            raise RuntimeError(f"the server process ended with {self._process.wait()}")
        answer: Json = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def open(self, faults: FaultPlan = ()) -> LoopbackServer:
        answer = self.ask({"open": list(faults)})
        return LoopbackServer(self, answer["server"], answer["baseUrl"], answer["apiKey"])

    def plan(self, seed: int) -> FaultPlan:
        """A random fault plan, the same for the same seed."""
        faults: FaultPlan = self.ask({"plan": seed})["faults"]
        return faults

    def close(self) -> None:
        """Stops all servers and the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
