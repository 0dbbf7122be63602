/** 50 random fault plans for the Python client; `AGENT_RUN_PLANS=200` for more. */
import { expect } from 'vitest';
import { runPython } from '../support/python.ts';
import { testInPython } from './python-tests.ts';

const timeoutMs = 300_000 * Math.max(1, Number(process.env.AGENT_RUN_PLANS ?? 50) / 50);

testInPython(
  ['httpx', 'pytest', 'anyio'],
  'random faults: the Python client reaches the true state or raises a typed error, with one run',
  async python => {
    const args = ['-m', 'pytest', '-p', 'no:cacheprovider', 'tests/test_faults.py'];
    expect(await runPython(python, args, { timeoutMs })).toMatch(/\b\d+ passed\b/);
  },
  timeoutMs,
);
