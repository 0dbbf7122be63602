import { type AgentFault, type FaultKind, faultOfStatus, faultOfWords, type Wordings } from '../agent-fault.ts';
import { readObject, readText } from '../event-parts.ts';

const names: Readonly<Record<string, FaultKind>> = {
  ProviderAuthError: 'auth',
  ContextOverflowError: 'context_length',
  MessageOutputLengthError: 'output_limit',
  ContentFilterError: 'refusal',
};

const wordings: Wordings = [
  [/API_KEY_INVALID|API key not valid/, 'auth'],
  [/"type":"(server|overloaded|api)_error"/, 'provider'],
  [
    /cannot connect|unable to connect|connection (reset|closed|error)|ECONN|ENOTFOUND|EAI_AGAIN|socket|fetch failed/i,
    'network',
  ],
];

/** The `error` of an event: `{ name, data: { message, statusCode } }`. */
export function explainOpencodeError(error: unknown): AgentFault {
  const name = readText(readObject(error).name);
  const { message, statusCode } = readObject(readObject(error).data);
  const said = readText(message) || name;
  const httpStatus = typeof statusCode === 'number' ? statusCode : undefined;
  const kind = (Object.hasOwn(names, name) ? names[name] : undefined) ?? faultOfWords(wordings, said);
  const fault = kind ?? (httpStatus === undefined ? 'harness' : faultOfStatus(httpStatus));
  return { fault, httpStatus, message: unwrapMessage(said) };
}

/** An error in mid-stream arrives as JSON text. */
export function unwrapMessage(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const { message, error } = readObject(JSON.parse(text));
    return readText(message) || readText(readObject(error).message) || text;
  } catch {
    return text;
  }
}
