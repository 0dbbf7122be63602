#!/usr/bin/env node
// Asks a model, runs the commands that it wants, and so on until it answers without one.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

// The shell gets the rest of the environment, without the key.
const { MY_AGENT_URL: url, MY_AGENT_KEY: key, ...env } = process.env;
const model = env.AGENT_RUN_MODEL ?? 'qwen3-coder';
const parameters = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] };
const shell = { name: 'shell', description: 'Runs a command with bash in the workspace.', parameters };
const messages = [{ role: 'user', content: await text(process.stdin) }];

for (let step = 0; step < 50; step += 1) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages, tools: [{ type: 'function', function: shell }] }),
  });
  if (!answer.ok) fail(`the model answered with ${answer.status}: ${await answer.text()}`);
  const [{ message, finish_reason: reason }] = (await answer.json()).choices;
  messages.push(message);
  if (message.content) console.log(message.content);
  if (!message.tool_calls?.length) {
    if (reason !== 'stop') fail(`the answer ended with ${reason}`);
    writeFileSync(env.AGENT_RUN_RESULT, message.content);
    process.exit(0);
  }
  for (const { id, function: call } of message.tool_calls) {
    const { command } = JSON.parse(call.arguments);
    console.log(`$ ${command}`);
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command], { env, encoding: 'utf8' });
    messages.push({ role: 'tool', tool_call_id: id, content: `${stdout}${stderr}[exit code ${status}]` });
  }
}
fail('there was no answer after 50 steps');

function fail(why) {
  console.error(why);
  process.exit(1);
}
