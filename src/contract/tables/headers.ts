/** Headers that this project adds to the interface. Names are case-insensitive on the wire. */
export const headerNames = {
  features: 'Agent-Run-Features',
  source: 'X-Agent-Run-Source',
  requestId: 'X-Request-Id',
  idempotencyKey: 'Idempotency-Key',
  idempotentReplayed: 'Idempotent-Replayed',
  prefer: 'Prefer',
  preferenceApplied: 'Preference-Applied',
  shouldRetry: 'x-should-retry',
  resultBytes: 'Agent-Run-Result-Bytes',
} as const;

/** The features that this project's server announces in every response. */
export const serverFeatures = ['idempotency', 'wait', 'events', 'lease', 'result'] as const;
export type ServerFeature = (typeof serverFeatures)[number];

/** The features that a response announces. Other services announce none. */
export function readFeatures(headers: { get(name: string): string | null }): ReadonlySet<string> {
  const words = (headers.get(headerNames.features) ?? '').split(',').map(word => word.trim());
  return new Set(words.filter(word => word !== ''));
}
