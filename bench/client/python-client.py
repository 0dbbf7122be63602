"""What reading a run costs through the Python client, against bare httpx.

Prints JSON: for each round, wall and processor time per call in seconds, of bare httpx and of the client.

python-client.py BASE_URL API_KEY RUN_ID ROUNDS BATCH
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import httpx
from agent_run import AgentRuns

base_url, api_key, run_id = sys.argv[1:4]
rounds, batch = (int(argument) for argument in sys.argv[4:])
WARM_UPS = 5


def measure(call: Callable[[], object]) -> tuple[float, float]:
    began, processor_began = time.perf_counter(), time.process_time()
    for _ in range(batch):
        call()
    return (time.perf_counter() - began) / batch, (time.process_time() - processor_began) / batch


with AgentRuns(base_url=base_url, api_key=api_key) as client, httpx.Client() as bare:
    url = f"{base_url}/agent/runs/{run_id}"
    headers = {"Authorization": f"Bearer {api_key}", "Accept": "application/json"}

    def read_bare() -> object:
        response = bare.get(url, headers=headers)
        response.raise_for_status()
        return response.json()

    def read() -> object:
        return client.runs.retrieve(run_id)

    costs = []
    for turn in range(-WARM_UPS, rounds):
        # Who goes first takes turns.
        if turn % 2 == 0:
            bare_cost, cost = measure(read_bare), measure(read)
        else:
            cost, bare_cost = measure(read), measure(read_bare)
        if turn >= 0:
            costs.append({"bare": bare_cost, "own": cost})
    print(json.dumps(costs))
