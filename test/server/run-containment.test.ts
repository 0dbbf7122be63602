import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/server/config/config-schema.ts';
import { createServer, type Log, readServerConfig } from '../../src/server/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

function configure(yaml: string) {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), yaml);
  return { ...readServerConfig({ env: { PATH: process.env.PATH }, cwd }), port: 0 };
}

/** Creates a server and returns its log lines on containment. */
async function start(yaml: string): Promise<unknown> {
  const lines: unknown[] = [];
  const log: Log = (_level, message, fields) => {
    if (message.includes('containment of runs')) lines.push(fields?.containment);
  };
  const server = await createServer(configure(yaml), { log });
  onTestFinished(() => server.stop({ drainSeconds: 0 }));
  return lines;
}

test('containment is read from the configuration and defaults to auto', () => {
  expect(configure('').containment).toBe('auto');
  expect(configure('containment: process_group').containment).toBe('process_group');
  expect(() => configure('containment: docker')).toThrow(
    'must be one of auto, pid_namespace, bubblewrap, process_group, not "docker"',
  );
});

test('a server logs its containment once at startup', async () => {
  expect(await start('containment: process_group')).toEqual(['process_group']);
  expect(await start('')).toEqual([expect.stringMatching(/^(pid_namespace|process_group)$/)]);
});

test.runIf(process.getuid?.() === 0)('limits that do not work here stop the start', async () => {
  const starting = createServer(configure('limits: { processes: 100 }'));
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow(/^limits\.processes: has no effect for root/);
});
