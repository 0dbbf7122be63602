/** What commands are not to wait for: nobody turns pages, types a password or edits a message. */
const quiet = { PAGER: 'cat', GIT_PAGER: 'cat', GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0' };

/** The environment of tools: the agent's own, where a variable that holds the key of the model, under whatever name, is left out. */
export function createToolEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  apiKey: string | undefined,
): Readonly<Record<string, string>> {
  const kept = Object.entries(own).flatMap(([name, value]) =>
    value === undefined || (apiKey !== undefined && value === apiKey) ? [] : [[name, value] as const],
  );
  return { ...quiet, ...Object.fromEntries(kept) };
}
