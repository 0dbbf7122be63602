"""Random fault plans: a run is created, followed with its events, and compared with what the server knows.

`AGENT_RUN_PLANS` is the number of plans (50), `AGENT_RUN_FIRST_PLAN` the seed of the first one (1). Plans alternate
between the synchronous and the asyncio client. Waits are skipped, so that an hour takes a second.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import threading
from dataclasses import dataclass, field

import pytest
from agent_run import AgentRuns, AgentRunsError, AsyncAgentRuns, Run
from leaping_clock import LeapingClock
from server_process import FaultPlan, LoopbackServer, ServerProcess

# Read before the fixture that empties the environment.
COUNT = int(os.environ.get("AGENT_RUN_PLANS", "50"))
FIRST = int(os.environ.get("AGENT_RUN_FIRST_PLAN", "1"))
SEEDS = range(FIRST, FIRST + COUNT)

PROMPTS = ("```sh\necho one\necho two >&2\necho three\n```", "```sh\necho one\nexit 3\n```")
TITLE = "one of many"
#: Seconds of a plan in real time, on a busy machine.
LONGEST_PLAN = 90.0


@dataclass
class Outcome:
    """What a client made of a plan."""

    run_id: str | None = None
    run: Run | None = None
    error: AgentRunsError | None = None
    seqs: list[int] = field(default_factory=list)
    is_states_only: bool = False

    def note_states_only(self) -> None:
        self.is_states_only = True


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds. A plan with faults that hang or stall costs them in real time."""

    attempt: float
    wait: float

    @classmethod
    def of(cls, plan: FaultPlan) -> Limits:
        kinds = {fault["kind"] for fault in plan}
        return cls(
            attempt=0.5 if kinds & {"hang", "slow-body"} else 20,
            wait=1.5 if "hang" in kinds else 900,
        )


def use_client(server: LoopbackServer, plan: FaultPlan, prompt: str) -> Outcome:
    outcome = Outcome()
    limits = Limits.of(plan)
    threads = threading.active_count()
    with AgentRuns(
        base_url=server.base_url,
        api_key=server.api_key,
        clock=LeapingClock(),
        timeout=limits.attempt,
        total_timeout=120,
    ) as client:
        try:
            outcome.run_id = client.runs.create(prompt, title=TITLE).run_id
            outcome.run = client.runs.wait(
                outcome.run_id,
                on_event=lambda event: outcome.seqs.append(event.seq),
                on_states_only=outcome.note_states_only,
                events_grace=0.5,
                timeout=limits.wait,
            )
        except AgentRunsError as error:
            outcome.error = error
    assert threading.active_count() == threads
    return outcome


async def use_async_client(server: LoopbackServer, plan: FaultPlan, prompt: str) -> Outcome:
    outcome = Outcome()
    limits = Limits.of(plan)
    async with AsyncAgentRuns(
        base_url=server.base_url,
        api_key=server.api_key,
        clock=LeapingClock(),
        timeout=limits.attempt,
        total_timeout=120,
    ) as client:
        try:
            outcome.run_id = (await client.runs.create(prompt, title=TITLE)).run_id
            outcome.run = await client.runs.wait(
                outcome.run_id,
                on_event=lambda event: outcome.seqs.append(event.seq),
                on_states_only=outcome.note_states_only,
                events_grace=0.5,
                timeout=limits.wait,
            )
        except AgentRunsError as error:
            outcome.error = error
    # httpx leaves iterators of bodies to the garbage collector, which closes them in tasks.
    gc.collect()
    for _ in range(5):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return outcome


def run_plan(server: LoopbackServer, plan: FaultPlan, prompt: str, *, is_async: bool) -> Outcome:
    """In a thread of its own, because a hanging client must not hang the test."""
    outcomes: list[Outcome | BaseException] = []

    def work() -> None:
        try:
            if is_async:
                outcomes.append(asyncio.run(use_async_client(server, plan, prompt)))
            else:
                outcomes.append(use_client(server, plan, prompt))
        except BaseException as error:
            outcomes.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(LONGEST_PLAN)
    assert not thread.is_alive(), f"hangs for {LONGEST_PLAN} s under {plan}"
    (outcome,) = outcomes
    if isinstance(outcome, AssertionError):
        raise outcome
    if isinstance(outcome, BaseException):
        raise AssertionError(f"no error of the client under {plan}: {outcome!r}") from outcome
    return outcome


def read_rest(server: LoopbackServer, run_id: str, after: int) -> list[int]:
    with AgentRuns(base_url=server.base_url, api_key=server.api_key) as client:
        return [event.seq for event in client.runs.events(run_id, after=after)]


@dataclass
class Tally:
    plans: int = 0
    ended: int = 0
    whole: int = 0
    met: int = 0


@pytest.fixture(scope="module")
def tally() -> Tally:
    return Tally()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plan_ends_in_the_true_state_or_a_typed_error_with_one_run(
    seed: int, server_process: ServerProcess, tally: Tally
) -> None:
    plan = server_process.plan(seed)
    shown = json.dumps(plan)
    server = server_process.open(plan)
    try:
        outcome = run_plan(server, plan, PROMPTS[seed % 3 // 2], is_async=seed % 2 == 0)
        report = server.report()
        assert len(report.runs) <= 1, shown
        if outcome.run_id is None:
            assert outcome.error is not None
        else:
            (true,) = report.runs
            assert outcome.run_id == true["run_id"], shown
            if outcome.run is None:
                assert outcome.error is not None
            else:
                assert outcome.run.run_id == true["run_id"], shown
                assert outcome.run.state == true["state"], shown
            # Each event once, in order and without a gap. A wait may give up before the last ones.
            count = len(outcome.seqs)
            rest = read_rest(server, outcome.run_id, count)
            assert outcome.seqs + rest == list(range(1, true["last_seq"] + 1)), shown
            tally.whole += outcome.run is not None and rest == []
    finally:
        server.stop()
    tally.plans += 1
    tally.ended += outcome.run is not None
    tally.met += len(report.faults_met) > 0


def test_most_plans_have_faults_and_still_end_with_all_events(tally: Tally) -> None:
    if tally.plans < 20:
        pytest.skip("too few plans")
    assert tally.met > tally.plans / 3, tally
    assert tally.ended > tally.plans / 2, tally
    assert tally.whole > tally.plans / 3, tally
