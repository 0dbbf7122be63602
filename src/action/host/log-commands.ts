/**
 * Lines that the runner obeys instead of showing them: `::name key=value,key=value::data`.
 * Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands and the runner's ActionCommand.cs
 */

export type LogCommandName = 'add-mask' | 'group' | 'endgroup' | 'notice' | 'warning' | 'error' | 'debug';

/** One line, without its end, whatever is in the data. Properties that are empty are left out, as the runner ignores them. */
export function printCommand(
  name: LogCommandName,
  data = '',
  properties: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(properties)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name}${pairs.length === 0 ? '' : ` ${pairs.join(',')}`}::${escapeData(data)}`;
}

/** The percent sign goes first, so that what is escaped is not escaped again. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
