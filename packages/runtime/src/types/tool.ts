import type { ImageContent, JsonObject, JsonValue, TextContent } from "@mdx-ai/models";

/** What a tool gets beside its arguments. */
export interface ToolContext {
  /** Absolute. */
  readonly agentDir: string;
  /** Where the user stands (or `--cwd`). Absolute. */
  readonly cwd: string;
  /** Fires when the prompt is aborted or the tool's time is over. */
  readonly signal: AbortSignal;
  /** Writes a line to the agent's log. Never rejects. */
  log(message: string): Promise<void>;
  /**
   * Shows the user what there is so far; the model never sees it. Means nothing after the call has ended.
   * Throws where the value is not JSON.
   */
  update(partial: string | ToolResult): void;
}

/** What a tool answers. */
export interface ToolResult {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError?: boolean;
  /** For user interfaces and logs; never sent to a model. */
  readonly details?: JsonValue;
}

/** A tool that a model may call: a builtin, an inline one of agent.mdx, or one of a module. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema 2020-12 of an object. `execute` sees only arguments that it accepts, with its defaults filled in. */
  readonly parameters: JsonObject;
  /** Whether it only looks and changes nothing; after a crash it may then be run again. Default false. */
  readonly readOnly?: boolean;
  /** A string is shown to the model as it is. A throw becomes an error result with the error's text. */
  execute(args: JsonObject, context: ToolContext): Promise<string | ToolResult>;
}
