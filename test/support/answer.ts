import type { CreateRunAnswer, LeaseAnswer } from '../../src/contract/create.ts';
import type { EventPage } from '../../src/contract/events.ts';
import type { RunPage } from '../../src/contract/page.ts';
import type { Problem } from '../../src/contract/problem.ts';
import type { Run } from '../../src/contract/run.ts';

/** Any response of the service. A test reads the members that it expects. */
export type Answer = Run & RunPage & EventPage & Problem & CreateRunAnswer & LeaseAnswer;

export async function readAnswer(response: Response | Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}
