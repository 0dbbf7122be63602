/** Warnings of a create request with unknown members. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../../support/answer.ts';
import { openHttpApp } from '../../../support/http-app.ts';

test.each([
  [
    { harness: 'mine' },
    ['"harness" is unknown and was ignored: the run has the harness script. Did you mean config.harness.name?'],
  ],
  [
    { Model: 'm' },
    ['"Model" is unknown and was ignored: the run has no model of its own. Did you mean config.model_id?'],
  ],
  [
    { environment: 'e' },
    [
      '"environment" is unknown and was ignored: the run has no environment of its own. Did you mean config.environment_id?',
    ],
  ],
  [{ mcpServers: {} }, ['"mcpServers" is unknown and was ignored. Did you mean config.mcp_servers?']],
  [{ agent_config: {} }, ['"agent_config" is unknown and was ignored. Did you mean config?']],
  [{ leaseSeconds: 420 }, ['"leaseSeconds" is unknown and was ignored. Did you mean lease_seconds?']],
  [{ interactiv: true }, ['"interactiv" is unknown and was ignored. Did you mean interactive?']],
  [{ cofnig: {} }, ['"cofnig" is unknown and was ignored. Did you mean config?']],
  [{ output_shema: {} }, ['"output_shema" is unknown and was ignored. Did you mean config.output_schema?']],
  [
    { config: { model_id: 'm-1', modle_id: 'm-2', title: 't', shininess: 1 } },
    [
      '"config.modle_id" is unknown and was ignored: the run has the model m-1. Did you mean config.model_id?',
      '"config.title" is unknown and was ignored. Did you mean title?',
      '"config.shininess" is unknown and was ignored.',
    ],
  ],
  [{ config: { harness: { nmae: 'mine' } } }, ['"config.harness.nmae" is unknown and was ignored.']],
  [{ team: true }, ['"team" was ignored: this server has one owner and no teams.']],
  // Members of newer clients, and members with empty values.
  [
    {
      runtime_skills: ['a'],
      snapshot_token: 't',
      scope: {},
      time: 1,
      nam: 'x',
      model: null,
      config: { shininess: null },
    },
    undefined,
  ],
])('a create request with %j warns %j', async (more, warnings) => {
  const app = await openHttpApp();
  const answer = await readAnswer(app.call('POST', '/agent/runs', { body: { prompt: 'x', ...more } }));
  expect([answer.state, answer.warnings]).toEqual(['QUEUED', warnings]);
});

test.each([
  [{ max_turns: 3 }, '"max_turns"'],
  [{ config: { sandbox: 'read-only', tools: ['read'] } }, '"config.sandbox", "config.tools"'],
  [{ 'timeout-minutes': 3 }, '"timeout-minutes"'],
  [{ config: { permissionMode: 'plan', 'allowed-tools': [] } }, '"config.permissionMode", "config.allowed-tools"'],
  [{ config: { harness: { name: 'mine', maxBudgetUsd: 1 } } }, '"config.harness.maxBudgetUsd"'],
  [{ disallowed_tools: [], budget_usd: 1, maxSteps: 2 }, '"disallowed_tools", "budget_usd", "maxSteps"'],
])('the restriction %j starts no run', async (more, names) => {
  const app = await openHttpApp();
  const response = await app.call('POST', '/agent/runs', { body: { prompt: 'x', ...more } });
  expect([response.status, (await readAnswer(response)).detail]).toEqual([
    422,
    expect.stringContaining(`this server cannot restrict a run with ${names}; remove it.`),
  ]);
  expect(await app.store.claimRun()).toBeUndefined();
});

test('a repeated request gets the same warnings, logged once without values', async () => {
  const lines: string[] = [];
  const app = await openHttpApp({ log: (...line) => lines.push(JSON.stringify(line)) });
  const post = () =>
    app.call('POST', '/agent/runs', {
      body: { prompt: 'x', model: 'SECRET', config: { key: 'SECRET' } },
      headers: { 'Idempotency-Key': 'k' },
    });
  const [first, again] = [await readAnswer(post()), await readAnswer(post())];
  expect(first.warnings).toHaveLength(2);
  expect(again.warnings).toEqual(first.warnings);
  const told = lines.filter(line => line.includes('were ignored'));
  expect(told).toEqual([expect.stringContaining('config.key')]);
  expect(JSON.stringify([first.warnings, lines])).not.toContain('SECRET');
});

test('at most twenty short warnings are returned', async () => {
  const app = await openHttpApp();
  const config = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}-${'n'.repeat(5000)}`, 1]));
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`member_${index}`, 1]));
  const { warnings = [] } = await readAnswer(
    app.call('POST', '/agent/runs', { body: { prompt: 'x', config, team: false, ...many } }),
  );
  expect([warnings.length, Math.max(...warnings.map(({ length }) => length)) < 200]).toEqual([20, true]);
  expect(warnings.at(-1)).toBe('12 more unknown members were ignored.');
});
