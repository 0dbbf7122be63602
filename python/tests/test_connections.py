"""Real connections: refused, broken, slow, wrong, shared by threads."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import struct
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from clients import KEY, Both, both  # noqa: F401
from scripted_server import Talk, run_of, serve, until

import agent_run
from agent_run import AgentRuns, AsyncAgentRuns, ConnectionFailedError, ConnectionTimeoutError

RETRIEVE = {"timeout": 5.0, "max_retries": 0}


def fail(both: Both, url: str, **options: Any) -> ConnectionFailedError:
    with pytest.raises(ConnectionFailedError) as caught:
        both.ask(lambda c: c.runs.retrieve("run-1", **{**RETRIEVE, **options}), base_url=url)
    assert KEY not in str(caught.value)
    return caught.value


def test_a_refused_connection_did_nothing_and_a_create_is_repeated(both: Both) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        error = fail(both, f"http://127.0.0.1:{port}")
        assert (error.fault, error.never_left) == ("refused", True)
        retries: list[Exception] = []
        with pytest.raises(ConnectionFailedError):
            create = lambda c: c.runs.create("p", max_retries=1, on_retry=retries.append)  # noqa: E731
            both.ask(create, base_url=f"http://127.0.0.1:{port}")
        assert len(retries) == 1
    error = fail(both, "https://no-such-host.invalid")
    assert (error.fault, error.never_left) == ("unresolved", True)


def test_a_reset_connection_leaves_the_outcome_open(both: Both) -> None:
    def reset(talk: Talk) -> None:
        talk.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        talk.connection.close()
        talk.close_connection = True

    with serve(reset) as server:
        error = fail(both, server.url)
        assert (error.fault, error.never_left) == ("closed", False)
        with pytest.raises(agent_run.StartUnknownError):
            both.ask(lambda c: c.runs.create("p", max_retries=1), base_url=server.url)
        assert server.count("POST", "/runs") == 1


def test_an_attempt_ends_in_time_however_slowly_its_parts_arrive(both: Both) -> None:
    def script(talk: Talk) -> None:
        if "slow-body" in talk.path:
            talk.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(60):
                talk.wfile.write(b"[")
                time.sleep(0.05)
        elif "late-body" in talk.path:
            time.sleep(0.2)
            talk.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
            talk.wait_for_hang_up()
        else:
            talk.wait_for_hang_up()

    with serve(script) as server:
        for run_id in ("slow-body", "late-body", "no-headers"):
            began = time.monotonic()
            with pytest.raises(ConnectionTimeoutError, match="no complete answer within 0.25 s"):
                retrieve = lambda c, run_id=run_id: c.runs.retrieve(run_id, timeout=0.25, max_retries=0)  # noqa: E731
                both.ask(retrieve, base_url=server.url)
            assert 0.2 < time.monotonic() - began < 1.5
        assert until(lambda: not server.connections)
        began = time.monotonic()
        with pytest.raises(ConnectionTimeoutError, match="in total"):
            both.ask(lambda c: c.runs.retrieve("no-headers", timeout=30, total_timeout=0.25), base_url=server.url)
        assert time.monotonic() - began < 1.5


def test_a_connection_that_cannot_be_made_in_time_did_nothing(both: Both) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for one in fillers:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        error = fail(both, f"http://127.0.0.1:{full.getsockname()[1]}", timeout=0.3)
        assert isinstance(error, ConnectionTimeoutError) and error.never_left
        for one in fillers:
            one.close()


def test_time_limits_may_be_infinite(both: Both) -> None:
    with serve(lambda talk: talk.answer(run_of())) as server:
        limits = {"timeout": float("inf"), "total_timeout": float("inf")}
        assert both.ask(lambda c: c.runs.retrieve("run-1", **limits), base_url=server.url).run_id == "run-1"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
    subprocess.run([*made, "-keyout", str(file) + ".key", "-out", str(file)], check=True, capture_output=True)
    return file


def test_tls_faults_are_final_and_named(both: Both, certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, str(certificate) + ".key")
    with serve(lambda talk: talk.answer(run_of())) as plain, serve(lambda talk: talk.answer(run_of())) as tls:
        tls.socket = context.wrap_socket(tls.socket, server_side=True)
        https = tls.url.replace("http:", "https:")
        error = fail(both, https, max_retries=3)
        assert error.never_left and error.fault == "certificate" and "`verify`" in str(error)
        error = fail(both, plain.url.replace("http:", "https:"), max_retries=3)
        assert error.never_left and error.fault == "tls" and "use http instead of https?" in str(error)

        given: dict[str, Any] = {"base_url": https, "api_key": KEY}
        if not both.is_async:
            with httpx.Client(verify=str(certificate)) as http:
                assert AgentRuns(**given, http_client=http).runs.retrieve("run-1").run_id == "run-1"
            return

        async def retrieve() -> None:
            async with httpx.AsyncClient(verify=str(certificate)) as http:
                assert (await AsyncAgentRuns(**given, http_client=http).runs.retrieve("run-1")).run_id == "run-1"

        asyncio.run(retrieve())


def test_requests_go_through_the_proxy_of_the_environment(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    def proxy(talk: Talk) -> None:
        if len(server.asked) == 1:
            talk.send_response(502)
            talk.send_header("content-type", "text/html")
            talk.send_header("content-length", "3")
            talk.end_headers()
            talk.wfile.write(b"<p>")
        else:
            talk.answer(run_of())

    with serve(proxy) as server:
        monkeypatch.setenv("HTTP_PROXY", server.url)
        run = both.ask(lambda c: c.runs.retrieve("run-1"), base_url="http://service.test", allow_http=True)
        assert run.run_id == "run-1" and server.asked[0].path == "http://service.test/api/v1/agent/runs/run-1"
        assert len(server.asked) == 2


def test_a_streamed_response_is_closed_at_the_end_of_its_block(both: Both) -> None:
    def script(talk: Talk) -> None:
        if "missing" in talk.path:
            return talk.answer({"type": "/errors/not_found", "title": "n", "status": 404}, 404)
        send = talk.stream()
        send("one\n")
        send("two\n")
        talk.wait_for_hang_up()

    with serve(script) as server:

        def first_line(client: Any) -> Any:
            if not both.is_async:
                with client.stream("GET", "/agent/x") as response:
                    line = next(response.iter_lines()).strip()
                assert until(lambda: not server.connections, 2)
                return line

            async def read() -> str:
                async with client.stream("GET", "/agent/x") as response:
                    return str(await response.aiter_lines().__anext__()).strip()

            return read()

        assert both.ask(first_line, base_url=server.url) == "one"
        assert until(lambda: not server.connections)
        with pytest.raises(agent_run.NotFoundError):
            enter = "__aenter__" if both.is_async else "__enter__"
            both.ask(lambda c: getattr(c.stream("GET", "/missing"), enter)(), base_url=server.url)


def test_one_client_serves_many_threads() -> None:
    keys: list[int] = []
    numbers = iter(range(1_000_000))
    lock = threading.Lock()

    def script(talk: Talk) -> None:
        if talk.asked.method == "POST":
            with lock:
                number = next(numbers)
            return talk.answer({"run_id": f"run-{talk.asked.body['prompt']}-{number}", "state": "QUEUED"})
        talk.answer(run_of(talk.path.rpartition("/")[2], "SUCCEEDED"))

    def key() -> str:
        keys.append(1)
        time.sleep(0.05)
        return KEY

    with serve(script) as server, AgentRuns(base_url=server.url, api_key=key) as client:

        def work(thread: int) -> None:
            for _ in range(15):
                created = client.runs.create(str(thread))
                assert created.run_id.startswith(f"run-{thread}-")
                assert client.runs.wait(created.run_id).run_id == created.run_id

        with ThreadPoolExecutor(8) as pool:
            for one in [pool.submit(work, thread) for thread in range(8)]:
                one.result(20)
        assert len(keys) == 1 and server.count("POST", "/runs") == 120
        assert len({one.headers["idempotency-key"] for one in server.asked if one.method == "POST"}) == 120


def test_many_followers_do_not_wait_for_each_other() -> None:
    def script(talk: Talk) -> None:
        until(lambda: len(server.asked) >= 130)
        talk.answer(run_of(talk.path.rpartition("/")[2], "SUCCEEDED"))

    async def main(url: str) -> None:
        async with AsyncAgentRuns(base_url=url, api_key=KEY) as client:
            await asyncio.wait_for(asyncio.gather(*(client.runs.wait(f"run-{n}") for n in range(130))), 10)

    with serve(script) as server:
        server.socket.listen(200)
        began = time.monotonic()
        asyncio.run(main(server.url))
        assert time.monotonic() - began < 4


def test_an_unrelated_tls_error_is_not_blamed(both: Both) -> None:
    def lose(_: httpx.Request) -> httpx.Response:
        raise httpx.RemoteProtocolError("lost")

    try:
        raise ssl.SSLCertVerificationError("of another connection")
    except ssl.SSLError:
        with pytest.raises(ConnectionFailedError) as caught:
            both.ask(lambda c: c.runs.retrieve("run-1", max_retries=0), lose)
    assert caught.value.fault == "closed"
