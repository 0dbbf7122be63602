/** The sizes that the contract sets, in the unit that the name says. */
export const sizes = {
  /** One request body. */
  bodyBytes: 8 * 1024 * 1024,
  promptBytes: 1_000_000,
  basePromptBytes: 256 * 1024,
  configBytes: 256 * 1024,
  /** One variable, one header or the address of an MCP server: most of them are secrets, which all that a run prints is searched for. */
  mcpValueBytes: 32 * 1024,
  /** All of them together. */
  mcpValuesBytes: 64 * 1024,
  /** Arguments of an MCP server, skills. */
  configListEntries: 256,
  attachments: 5,
  titleCodePoints: 200,
  nameCodePoints: 200,
  metadataPairs: 20,
  metadataKeyBytes: 64,
  metadataValueBytes: 256,
  idempotencyKeyCharacters: 255,
  triggerUrlCharacters: 2048,
  /** What of a result stands on the run; the whole text has an address of its own. */
  resultInlineBytes: 64 * 1024,
  /** The whole text of a result; what is longer is cut at its start and says so. */
  resultBytes: 4 * 1024 * 1024,
  /** One page of a list ends early here. */
  pageBytes: 4 * 1024 * 1024,
  listLimit: 500,
  listLimitDefault: 20,
  eventLimit: 1000,
  /** The longest `Prefer: wait=N` that is honoured, in seconds. */
  waitSeconds: 50,
  leaseSecondsMin: 30,
  leaseSecondsMax: 3600,
  /**
   * What a follower of ours asks for, in seconds: how long its run outlives it when it is killed. Longer than a follower bears an unreachable server (five
   * minutes and one poll), or a gap in the network would cancel the run that somebody still waits for.
   */
  followerLeaseSeconds: 420,
  /** Files that one run may leave as artifacts. */
  artifactFiles: 100,
  /** All files that one run leaves as artifacts together. */
  artifactBytes: 256 * 1024 * 1024,
  /** How deep arrays and objects stand in each other, in what comes in and in what an agent says. */
  jsonLevels: 100,
  /** Values in one request, all members of its arrays and objects: parser and validator work on each. */
  jsonValues: 10_000,
  /** What an agent may ask; the rest of a longer text is cut. */
  questionBytes: 4 * 1024,
  /** One log event. */
  logEventBytes: 16 * 1024,
  /** All log events of one run together. */
  logBytes: 16 * 1024 * 1024,
} as const;

/** Size of a text as UTF-8, in bytes. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
