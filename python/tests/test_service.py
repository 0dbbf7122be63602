"""Calls that change or read a run of the real server, each with one client: the other tests compare the two."""

from __future__ import annotations

from functools import partial
from typing import Any

from clients import Both
from scripted_server import until
from server_process import LoopbackServer

from agent_run import Run


def test_a_lease_that_is_neither_renewed_nor_released_ends_its_run(server: LoopbackServer) -> None:
    ask = partial(Both(False).ask, base_url=server.base_url, api_key=server.api_key)

    def start(lease_seconds: int) -> str:
        run_id: str = ask(lambda c: c.runs.create("```sh\nsleep 30\n```", lease_seconds=lease_seconds)).run_id
        return run_id

    def read(run_id: str) -> Any:
        return ask(lambda c: c.runs.retrieve(run_id))

    renewed = start(2)
    lease = ask(lambda c: c.runs.renew_lease(renewed, 60))
    released = start(2)
    assert ask(lambda c: c.runs.release_lease(released)) is None
    lost = start(1)
    assert until(lambda: bool(read(lost).state == "CANCELLED"), 20)
    assert "lease" in str(read(lost).status_message)
    assert read(renewed).lease_expires_at == lease.lease_expires_at is not None
    assert read(released).lease_expires_at is None
    assert not read(renewed).is_final and not read(released).is_final


def test_a_long_result_and_a_file_arrive_whole(server: LoopbackServer) -> None:
    ask = partial(Both(False).ask, base_url=server.base_url, api_key=server.api_key)
    prompt = '```sh\nseq 20000 | tee "$AGENT_RUN_ARTIFACTS/lines.txt"\n```'
    run_id = ask(lambda c: c.runs.create(prompt)).run_id
    run = ask(lambda c: c.runs.wait(run_id))
    lines = "".join(f"{number}\n" for number in range(1, 20001))
    assert run.result.truncated and len(run.result.text) < len(lines)
    assert ask(lambda c: c.runs.result(run_id)).strip() == lines.strip()
    (artifact,) = run.artifacts
    assert ask(lambda c: c.artifacts.download(artifact.data["artifact_uid"])) == lines.encode()


def test_an_answer_lets_a_blocked_run_continue(server: LoopbackServer) -> None:
    ask = partial(Both(True).ask, base_url=server.base_url, api_key=server.api_key)
    states: list[str] = []

    def wait(client: Any) -> Any:
        def answer(run: Run) -> Any:
            states.append(run.state)
            if run.state == "BLOCKED":
                assert run.status_message is not None and run.status_message.message == "Red or blue?"
                return client.runs.followup(run.run_id, "The blue one.", idempotency_key="answer-1")

        return client.runs.wait(run_id, on_run=answer)

    config = {"harness": {"name": "builtin"}}
    run_id = ask(lambda c: c.runs.create("Paint it.", config=config, interactive=True)).run_id
    run = ask(wait)
    assert (run.state, "The blue one." in run.result.text) == ("SUCCEEDED", True)
    assert states.count("BLOCKED") == 1 and run.attempt == 2
