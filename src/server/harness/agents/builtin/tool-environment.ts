/** Stops commands from waiting for a person: a pager, a password or an editor. */
const quiet = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0' };

/** The environment of tools: the agent's own, without any variable that contains the key of the model. */
export function createToolEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  apiKey: string | undefined,
): Readonly<Record<string, string>> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value === undefined || (apiKey !== undefined && value === apiKey) ? [] : [[name, value] as const],
  );
  return { ...quiet, ...Object.fromEntries(kept) };
}
