import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type GitHubEvent, readEvent } from '../../src/action/github/event.ts';
import { createTempFolder } from './temp-folder.ts';

/** Variables that GitHub sets in addition to the payload. */
export type EventSettings = Partial<Parameters<typeof readEvent>[0]>;

/** Name of a recorded payload, such as `pull_request-fork`. */
export function pathOfEvent(name: string): string {
  return resolve(import.meta.dirname, 'events', `${name}.json`);
}

/** A recorded event, as a step reads it. Its name ends at the first hyphen. */
export function recordedEvent(name: string, settings: EventSettings = {}): GitHubEvent {
  return mustRead({ eventName: name.split('-')[0], eventPath: pathOfEvent(name), ...settings });
}

/** An event with the test's own payload. */
export function eventOf(eventName: string, payload: unknown, settings: EventSettings = {}): GitHubEvent {
  const eventPath = join(createTempFolder(), 'event.json');
  writeFileSync(eventPath, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return mustRead({ eventName, eventPath, ...settings });
}

function mustRead(settings: EventSettings): GitHubEvent {
  const event = readEvent({
    eventName: undefined,
    eventPath: undefined,
    repository: 'octo-org/demo',
    ref: 'refs/heads/main',
    sha: '0123456789abcdef0123456789abcdef01234567',
    actor: undefined,
    ...settings,
  });
  if (event === undefined) throw new Error('no event');
  return event;
}
