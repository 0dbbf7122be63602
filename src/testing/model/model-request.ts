/** The wire APIs of models. */
export type ModelApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

export interface ModelCall {
  /** Gemini may omit it: then it is the name of the tool. */
  readonly id: string;
  readonly name: string;
  /** Parsed JSON. Invalid JSON stays a string. */
  readonly input: unknown;
}

/** A message, in one shape for all APIs. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  /** Its text parts, one per line. */
  readonly text: string;
  /** Calls of an assistant message. */
  readonly calls: readonly ModelCall[];
  /** In messages with the role `tool`: the call that it answers. */
  readonly callId?: string | undefined;
}

/** The result of a call. */
export interface ToolResult {
  readonly callId: string;
  /** '' if the request does not contain the call itself. */
  readonly name: string;
  readonly text: string;
}

/** A tool that the request offers. */
export interface OfferedTool {
  readonly name: string;
  /** OpenAI Responses can group tools. A call then names group and tool. */
  readonly namespace?: string | undefined;
  /** `custom` takes plain text. Only OpenAI Responses has such tools. */
  readonly kind: 'function' | 'custom';
  /** The JSON Schema of its input, as received. */
  readonly schema: unknown;
}

/** A request to a model, in one shape for all APIs. */
export interface ModelQuestion {
  readonly model: string;
  /**
   * Instructions: those outside the messages and those with roles `system` and `developer`, in order, joined by empty
   * lines.
   */
  readonly system: string;
  /** In order, without system messages. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** All results in the request, in order. */
  readonly toolResults: readonly ToolResult[];
  readonly isStreamed: boolean;
  /** The limit on output tokens. Undefined if there is none. */
  readonly maxTokens: number | undefined;
  /** The JSON Schema of the answer. Undefined if none is requested. */
  readonly outputSchema: unknown;
}

/** A request to a model as it arrived. */
export interface ModelRequest extends ModelQuestion {
  readonly api: ModelApi;
  /** Without the query, which may contain a key. */
  readonly path: string;
  /** Header names in lower case. A key is replaced with its fingerprint: `sha256:` and 12 characters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the key is the server's. Undefined if the server accepts any. */
  readonly isKeyRight: boolean | undefined;
  /** Sent by a program for itself, such as a title or a count of tokens. Answered without the script. */
  readonly isSide: boolean;
  /** As received. */
  readonly body: unknown;
}
