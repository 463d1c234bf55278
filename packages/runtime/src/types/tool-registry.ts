import type { JsonObject, ToolCall, ToolSchema } from "@mdx-ai/models";
import type { Verdict } from "@mdx-ai/parser";
import type { SandboxOpenings, ToolTouch } from "./permission.ts";
import type { ToolOrigin, ToolResult } from "./tool.ts";

/** A tool result that says whether it is an error. */
export type ToolOutcome = ToolResult & { readonly isError: boolean };

/** What a model receives for a call. */
export type ToolAnswer = Pick<ToolOutcome, "content" | "isError">;

/** A tool of the plan: what the loop needs to know of it, and what a trace shows. */
export interface PlannedTool {
  /** The wire name, by which models call it. */
  readonly wire: string;
  /** The author's name. */
  readonly name: string;
  readonly origin: ToolOrigin;
  readonly readOnly?: true;
  readonly idempotent?: true;
}

/** What a running call is tied to. */
interface CallContext {
  readonly session: string;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string;
  /** Handed to a builtin tool. */
  readonly openings?: SandboxOpenings;
  readonly signal: AbortSignal;
  readonly onUpdate: (partialResult: ToolResult) => void;
}

/** A snapshot of an agent's tools as the loop sees them: by the wire names that a model uses. */
export interface ToolRegistry {
  /** In a fixed order. */
  readonly schemas: readonly ToolSchema[];
  /** What the plan of a prompt says of them, in the same order. */
  readonly planned: readonly PlannedTool[];
  /** The author's name of a tool; the wire name itself if there is no such tool. */
  nameOf(wireName: string): string;
  /** Why a call must not run (no such tool, arguments that its schema refuses); decided from the call alone. */
  refusal(call: ToolCall): string | undefined;
  /** What the tool of a call that was not refused sees: its arguments, and the defaults of what they leave out. */
  argumentsOf(call: ToolCall): JsonObject;
  /** What a call that was not refused would access; looked up once. Rejects if that cannot be determined. */
  touchOf(call: ToolCall): Promise<ToolTouch>;
  /** What the author wants for the calls of a tool. */
  permissionOf(wireName: string): Verdict;
  /** Runs a call that was not refused; parts of its result are reported while it runs. Never rejects. */
  run(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
}
