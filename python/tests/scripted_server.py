"""A loopback HTTP server whose answers a test scripts, for what needs real sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FEATURES = {"agent-run-features": "idempotency, wait, events, lease, result"}


@dataclass
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    at: float = field(default_factory=time.monotonic)


class Talk(BaseHTTPRequestHandler):
    """What a script may do with one request: `answer`, `stream`, or anything with the socket."""

    protocol_version = "HTTP/1.1"
    server: ScriptedServer
    asked: Asked

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except (ConnectionError, TimeoutError, ValueError):
            self.close_connection = True

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.server.connections.add(self.connection)

    def finish(self) -> None:
        self.server.connections.discard(self.connection)
        super().finish()

    def _handle(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked = Asked(self.command, self.path, headers, json.loads(body) if body else None)
        self.server.asked.append(self.asked)
        self.server.script(self)

    do_GET = do_POST = do_PUT = do_DELETE = _handle

    def answer(self, data: Any, status: int = 200, **headers: str) -> None:
        content = json.dumps(data).encode()
        self.send_response(status)
        for name, value in {**FEATURES, "content-type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def stream(self) -> Callable[[str], None]:
        """Begins server-sent events. The function that it returns sends text."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

        def send(text: str) -> None:
            data = text.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

        return send

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def wait_for_hang_up(self, seconds: float = 20) -> None:
        """Returns when the client has closed the connection."""
        self.connection.settimeout(seconds)
        try:
            self.connection.recv(1)
        except OSError:
            pass
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, script: Callable[[Talk], None]) -> None:
        super().__init__(("127.0.0.1", 0), Talk)
        self.script = script
        self.asked: list[Asked] = []
        self.connections: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def count(self, method: str, end: str) -> int:
        return sum(one.method == method and one.path.partition("?")[0].endswith(end) for one in self.asked)

    def handle_error(self, *_: object) -> None:
        pass


@contextmanager
def serve(script: Callable[[Talk], None]) -> Iterator[ScriptedServer]:
    server = ScriptedServer(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def until(is_so: Callable[[], bool], seconds: float = 5) -> bool:
    """Waits until the condition holds; whether it did in time."""
    ends_at = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > ends_at:
            return False
        time.sleep(0.005)
    return True


def run_of(run_id: str = "run-1", state: str = "INPROGRESS", **members: Any) -> dict[str, Any]:
    times = {"created_at": "2030-01-31T10:00:00Z", "updated_at": "2030-01-31T10:00:00Z"}
    return {"run_id": run_id, "state": state, "title": "", "prompt": "p", **times, **members}


def event_of(seq: int, state: str | None = None) -> dict[str, Any]:
    data = {"text": f"line {seq}\n"} if state is None else {"state": state}
    return {"seq": seq, "at": "2030-01-31T10:00:00Z", "type": "log" if state is None else "state", "data": data}


def sse(*events: dict[str, Any]) -> str:
    return "".join(f"id: {one['seq']}\ndata: {json.dumps(one)}\n\n" for one in events)
