"""Interrupts and cancellation leave nothing open and start nothing twice."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from clients import KEY
from scripted_server import ScriptedServer, Talk, event_of, run_of, serve, sse, until

from agent_run import AgentRuns, AsyncAgentRuns

# Newer versions of httpx leave the socket to the garbage collector if a task is canceled while it connects.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SOURCE = str(Path(__file__).parents[1] / "src")

# A shell starts its background jobs with SIGINT ignored, and nohup may too.
PREPARED = """
import asyncio, signal, sys, agent_run
signal.signal(signal.SIGINT, signal.default_int_handler)
"""
BLOCKING = """
with agent_run.AgentRuns(base_url=sys.argv[1], api_key=sys.argv[2]) as client:
    try:
        {call}
    except KeyboardInterrupt as error:
        print("interrupted", *error.args)
"""
AWAITING = """
async def main():
    async with agent_run.AsyncAgentRuns(base_url=sys.argv[1], api_key=sys.argv[2]) as client:
        try:
            await {call}
        except asyncio.CancelledError as error:
            print("interrupted", *error.args)
            raise
try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
"""
WAIT = 'client.runs.wait("run-1", on_event=print, cancel_on_interrupt={cancels})'
ASK = 'client.runs.wait("run-1", on_run={sleep}, cancel_on_interrupt=True)'


def follow(talk: Talk) -> None:
    """A server whose run never ends."""
    if talk.asked.method == "POST":
        return talk.answer("run-1") if talk.path.endswith("/cancel") else talk.wait_for_hang_up()
    if "/events" in talk.path:
        talk.stream()(": hello\n\n" + sse(event_of(1, "INPROGRESS")))
        return talk.wait_for_hang_up()
    if "wait=" in talk.asked.headers.get("prefer", ""):
        return talk.wait_for_hang_up()
    talk.answer(run_of(last_seq=1), etag='"1"')


INTERRUPTS = (
    (BLOCKING, WAIT.format(cancels=True), "/events", 1),
    (AWAITING, WAIT.format(cancels=True), "/events", 1),
    (BLOCKING, 'client.runs.wait("run-1")', "polls", 0),
    (BLOCKING, ASK.format(sleep="lambda _: __import__('time').sleep(20)"), "/run-1", 1),
    (AWAITING, 'client.runs.create("p", idempotency_key="key-of-it")', "/runs", 0),
)


def test_an_interrupt_ends_a_call_and_cancels_the_run_only_on_request() -> None:
    with ExitStack() as ends:
        children = []
        for program, call, waits_for, cancels in INTERRUPTS:
            server = ends.enter_context(serve(follow))
            child = subprocess.Popen(
                [sys.executable, "-W", "default", "-c", PREPARED + program.format(call=call), server.url, KEY],
                env={**os.environ, "PYTHONPATH": SOURCE},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            ends.callback(child.wait)
            ends.callback(child.kill)
            children.append((child, server, call, waits_for, cancels))
        for child, server, call, waits_for, cancels in children:
            assert until(lambda: _waits(server, waits_for), 20)  # noqa: B023
            # Until the answer to the last request has been read.
            time.sleep(0.1)
            began = time.monotonic()
            child.send_signal(signal.SIGINT)
            output, errors = child.communicate(timeout=5)
            assert time.monotonic() - began < 3, call
            said = "the run may have been started (Idempotency-Key key-of-it)" if "create" in call else ""
            assert output.splitlines()[-1].strip() == f"interrupted {said}".strip(), call
            # Python warns of what was left open.
            assert "Traceback" not in errors and "Warning" not in errors and KEY not in errors, call
            assert server.count("POST", "/cancel") == cancels, call
            assert server.count("POST", "/runs") == ("create" in call)


def _waits(server: ScriptedServer, what: str) -> bool:
    if what == "polls":
        return any("prefer" in one.headers for one in server.asked)
    return any(one.path.partition("?")[0].endswith(what) for one in server.asked)


async def _cancel(client: AsyncAgentRuns, server: ScriptedServer) -> None:
    calls: list[Callable[[], Coroutine[Any, Any, Any]]] = [
        lambda: client.runs.wait("run-1"),
        lambda: client.runs.wait("run-1", on_event=print),
        lambda: client.runs.create("p"),
    ]
    for call in calls:
        for seconds in (0, 0.001, 0.002, 0.004, 0.01, 0.03):
            task = asyncio.create_task(call())
            await asyncio.sleep(seconds)
            task.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 2
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(call(), 0.05)


def test_a_canceled_task_ends_at_once_and_leaves_nothing_open() -> None:
    async def main(server: ScriptedServer) -> None:
        async with AsyncAgentRuns(base_url=server.url, api_key=KEY) as client:
            await _cancel(client, server)
            assert len(asyncio.all_tasks()) == 1
            assert await asyncio.to_thread(until, lambda: len(server.connections) <= 4)
            assert (await client.runs.retrieve("run-1", timeout=2, max_retries=0)).state == "INPROGRESS"

    with serve(follow) as server:
        asyncio.run(main(server))
        gc.collect()
        assert until(lambda: not server.connections)


def test_a_cancellation_that_arrives_with_the_answer_is_not_lost() -> None:
    async def main(url: str) -> None:
        async with AsyncAgentRuns(base_url=url, api_key=KEY) as client:
            await client.runs.retrieve("run-1")
            lost = 0
            for number in range(150):
                task: asyncio.Task[Any] = asyncio.create_task(client.runs.retrieve("run-1"))
                for _ in range(number % 15):
                    await asyncio.sleep(0)
                if not task.cancel():
                    await task
                    continue
                try:
                    await task
                    lost += 1
                except asyncio.CancelledError:
                    pass
            assert lost == 0

    with serve(follow) as server:
        asyncio.run(main(server.url))


def test_leaving_a_loop_over_events_closes_the_connection() -> None:
    with serve(follow) as server:
        with AgentRuns(base_url=server.url, api_key=KEY) as client:
            for event in client.runs.events("run-1"):
                assert event.seq == 1
                break
            assert until(lambda: not server.connections)
            events = client.runs.events("run-1")
            next(events)
            events.close()
            assert until(lambda: not server.connections)

        async def main() -> None:
            async with AsyncAgentRuns(base_url=server.url, api_key=KEY) as client:
                async for event in client.runs.events("run-1"):
                    assert event.seq == 1
                    break
                assert await asyncio.to_thread(until, lambda: not server.connections)

        asyncio.run(main())


def test_what_on_event_raises_ends_following_and_closes_the_connection() -> None:
    def fail(event: object) -> None:
        raise ZeroDivisionError

    with serve(follow) as server:
        with AgentRuns(base_url=server.url, api_key=KEY) as client:
            with pytest.raises(ZeroDivisionError):
                client.runs.wait("run-1", on_event=fail)
            assert until(lambda: len(server.connections) <= 1)

        async def main() -> None:
            async with AsyncAgentRuns(base_url=server.url, api_key=KEY) as client:
                with pytest.raises(ZeroDivisionError):
                    await client.runs.wait("run-1", on_event=fail)
                assert await asyncio.to_thread(until, lambda: len(server.connections) <= 1)

        asyncio.run(main())
