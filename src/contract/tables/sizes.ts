/** The sizes that the contract sets. Each name ends with its unit. */
export const sizes = {
  /** One request body. */
  bodyBytes: 8 * 1024 * 1024,
  promptBytes: 1_000_000,
  basePromptBytes: 256 * 1024,
  configBytes: 256 * 1024,
  /**
   * One variable, header or address of an MCP server. Most of them are secrets, and all output of a run is searched
   * for those.
   */
  mcpValueBytes: 32 * 1024,
  /** All such values of one run. */
  mcpValuesBytes: 64 * 1024,
  /** Arguments of an MCP server; skills. */
  configListEntries: 256,
  attachments: 5,
  titleCodePoints: 200,
  nameCodePoints: 200,
  metadataPairs: 20,
  metadataKeyBytes: 64,
  metadataValueBytes: 256,
  idempotencyKeyCharacters: 255,
  triggerUrlCharacters: 2048,
  /** The part of a result that a run includes. The full text has its own path. */
  resultInlineBytes: 64 * 1024,
  /** The full text of a result. Longer ones lose their beginning and say so. */
  resultBytes: 4 * 1024 * 1024,
  /** A list page ends early at this size. */
  pageBytes: 4 * 1024 * 1024,
  listLimit: 500,
  listLimitDefault: 20,
  eventLimit: 1000,
  /** The longest `Prefer: wait=N` that the server grants, in seconds. */
  waitSeconds: 50,
  leaseSecondsMin: 30,
  leaseSecondsMax: 3600,
  /**
   * The lease that this project's followers request: how long a run continues after its follower is killed. It is
   * longer than a follower tolerates an unreachable server (five minutes and one poll). Otherwise a network outage
   * would cancel a run that is still being followed.
   */
  followerLeaseSeconds: 420,
  /** Files that one run may leave as artifacts. */
  artifactFiles: 100,
  /** All artifact files of one run. */
  artifactBytes: 256 * 1024 * 1024,
  /** The nesting depth of arrays and objects in requests and in agent output. */
  jsonLevels: 100,
  /** Values in one request: all members of its arrays and objects. The parser and the validator process each. */
  jsonValues: 10_000,
  /** An agent's question. Longer ones are truncated. */
  questionBytes: 4 * 1024,
  /** One log event. */
  logEventBytes: 16 * 1024,
  /** All log events of one run. */
  logBytes: 16 * 1024 * 1024,
} as const;

/** Size of a text in UTF-8, in bytes. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
