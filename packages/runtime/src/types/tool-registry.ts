import type { JsonObject, ToolCall, ToolSchema } from "@mdx-ai/models";
import type { Verdict } from "@mdx-ai/parser";
import type { ToolTouch } from "./permission.ts";
import type { ToolResult } from "./tool.ts";

/** A tool result that says whether it is an error. */
export type ToolOutcome = ToolResult & { readonly isError: boolean };

/** What a running call is tied to. */
interface CallWatch {
  readonly session: string;
  readonly signal: AbortSignal;
  readonly onUpdate: (partialResult: ToolResult) => void;
}

/** The tools of an agent as the loop sees them: by the wire names that a model uses. */
export interface ToolRegistry {
  /** In a fixed order. */
  readonly schemas: readonly ToolSchema[];
  /** The author's name of a tool; the wire name itself where there is no such tool. */
  nameOf(wireName: string): string;
  /** Whether a tool only looks. */
  isReadOnly(wireName: string): boolean;
  /** Whether a tool may be run again where nobody knows whether it ran. */
  isRepeatable(wireName: string): boolean;
  /** Why a call must not run (no such tool, arguments that its schema refuses); decided without touching the outside. */
  refusal(call: ToolCall): string | undefined;
  /** What the tool of a call that was not refused sees: its arguments, and the defaults of what they leave out. */
  argumentsOf(call: ToolCall): JsonObject;
  /** What a call that was not refused would touch; looked up once. Rejects where that cannot be told. */
  touchOf(call: ToolCall): Promise<ToolTouch>;
  /** What the author wants for the calls of a tool. */
  permissionOf(wireName: string): Verdict;
  /** Runs a call that was not refused; parts of its result are told while it runs. Never rejects. */
  run(call: ToolCall, watch: CallWatch): Promise<ToolOutcome>;
}
