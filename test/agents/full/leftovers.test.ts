/** Programs that an agent's shell leaves running: none outlives the run, in a PID namespace or without one. */
import { randomInt } from 'node:crypto';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { describeEnd, kinds, openAgentBench, outputsOf } from '../agent-bench.ts';
import { listProcesses } from '../run-processes.ts';

/** Three ways to get away, and a look at what has got away; each sleep has the mark on its command line. */
const daemons = (mark: string): string =>
  [
    `setsid sleep ${mark}1 </dev/null >/dev/null 2>&1 &`,
    `nohup sleep ${mark}2 </dev/null >/dev/null 2>&1 &`,
    `( ( sleep ${mark}3 </dev/null >/dev/null 2>&1 & ) & )`,
    'sleep 1; pgrep -a -x sleep',
  ].join('\n');

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(inject('missingAgents')[kind] !== undefined, inject('missingAgents')[kind]));

  test.each(['auto', 'process_group'] as const)(
    'daemons are gone with the run (containment: %s)',
    async containment => {
      const mark = `3${randomInt(100_000, 1_000_000)}.`;
      const bench = await openAgentBench(kind, {
        script: [{ tools: [{ shell: daemons(mark) }] }, { text: 'They sleep.' }],
        containment,
      });
      const ended = await bench.work('Start them.');
      expect([ended.run.state, bench.model.problems], describeEnd(ended)).toEqual(['SUCCEEDED', []]);
      // They were there: what is not started cannot be left.
      for (const daemon of [1, 2, 3]) expect(outputsOf(ended)).toContain(` sleep ${mark}${daemon}`);
      expect(listProcesses({ runId: ended.run.run_id, mark })).toEqual([]);
    },
  );
});
