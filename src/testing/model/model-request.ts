/** The wire APIs of models. */
export type ModelApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

export interface ModelCall {
  /** Gemini may go without: then it is the name of the tool. */
  readonly id: string;
  readonly name: string;
  /** Parsed; text that is no JSON stays as it came. */
  readonly input: unknown;
}

/** A message as all four APIs mean it. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Its text parts, one a line. */
  readonly text: string;
  /** Of an assistant. */
  readonly calls: readonly ModelCall[];
  /** Of the role `tool`: what it is the result of. */
  readonly callId?: string | undefined;
}

/** What came of a call. */
export interface ToolResult {
  readonly callId: string;
  /** '' where the call itself is not in the request. */
  readonly name: string;
  readonly text: string;
}

/** A tool that the request offers. */
export interface OfferedTool {
  readonly name: string;
  /** OpenAI Responses can group tools; a call then names group and tool. */
  readonly namespace?: string | undefined;
  /** `custom` takes bare text: OpenAI Responses has such. */
  readonly kind: 'function' | 'custom';
  /** The JSON Schema of its input, as it came. */
  readonly schema: unknown;
}

/** What a model is asked, in one shape for all APIs. */
export interface ModelQuestion {
  readonly model: string;
  /** Instructions: those above the messages and those of roles `system` and `developer`, in order, joined by blank lines. */
  readonly system: string;
  /** In order, without those of the system. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** All that the request holds, in order. */
  readonly toolResults: readonly ToolResult[];
  readonly isStreamed: boolean;
  /** The bound on output tokens; undefined when there is none. */
  readonly maxTokens: number | undefined;
  /** The JSON Schema that the answer must have; undefined when none is asked for. */
  readonly outputSchema: unknown;
}

/** A request to a model as it arrived. */
export interface ModelRequest extends ModelQuestion {
  readonly api: ModelApi;
  /** Without the query, which may hold a key. */
  readonly path: string;
  /** By names in lower case; in place of a key only its fingerprint, `sha256:` and 12 characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the key is the server's; undefined when the server takes any. */
  readonly isKeyRight: boolean | undefined;
  /** Asked by a program for itself, as a title or a count of tokens: answered without the script. */
  readonly isSide: boolean;
  /** As received. */
  readonly body: unknown;
}
