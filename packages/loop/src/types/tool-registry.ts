import type { JsonObject } from "@mdx-ai/base";
import type { ToolCall, ToolSchema } from "@mdx-ai/models";
import type { PermissionAction, ToolEffect } from "@mdx-ai/parser";
import type { SandboxGrants, ToolAccess } from "./permission.ts";
import type { AskingCall } from "./question.ts";
import type { FileKeeper, ForeignTool, ToolResult } from "./tool.ts";
import type { ToolLabel } from "./tool-label.ts";
import type { ToolOrigin } from "./tool-origin.ts";

/** A tool result that says whether it is an error. */
export type ToolOutcome = ToolResult & { readonly isError: boolean };

/** The result of a call for the model. */
export type ToolAnswer = Pick<ToolOutcome, "content" | "isError">;

/** A tool by its name and its origin: in another session, a tool of another origin may have the name. */
export interface NamedTool {
  /** The author's name. */
  readonly name: string;
  readonly origin: ToolOrigin;
}

/** A tool of the plan: the properties that the loop needs, and those that a trace shows. */
export interface PlannedTool extends NamedTool {
  /** The wire name, by which models call it. */
  readonly wire: string;
  readonly readOnly?: true;
  readonly idempotent?: true;
  readonly effects?: ToolEffect;
}

/** The context of a running call. */
interface CallContext {
  readonly session: string;
  /** The working directory of the session; the agent's own if absent. Absolute. */
  readonly cwd?: string;
  /** Handed to a builtin tool, and to one of a skill. */
  readonly grants?: SandboxGrants;
  /** Handed to a builtin tool. */
  readonly keeper?: FileKeeper;
  /** Handed to a tool that somebody else runs. */
  readonly asking?: AskingCall;
  readonly signal: AbortSignal;
  readonly onUpdate: (partialResult: ToolResult) => void;
}

/** A snapshot of an agent's tools as the loop sees them: by the wire names that a model uses. */
export interface ToolRegistry {
  /** In a fixed order. */
  readonly schemas: readonly ToolSchema[];
  /** Their entries in the plan of a prompt, in the same order. */
  readonly planned: readonly PlannedTool[];
  /** The author's name of a tool; the wire name itself if there is no such tool. */
  nameOf(wireName: string): string;
  /**
   * A call as its tool understands it, under its true wire name: what is decided, journaled, shown and run is this one. The same
   * call if it fits as it is, or may mean several things. It follows from the call alone. Never rejects.
   */
  understood(call: ToolCall): Promise<ToolCall>;
  /** Why a call must not run (no such tool, arguments that its schema refuses); decided from the call alone. */
  refusal(call: ToolCall): string | undefined;
  /** The input of the tool of a call that was not refused: its arguments, with the defaults of absent ones. */
  argumentsOf(call: ToolCall): JsonObject;
  /**
   * The access of a call that was not refused, in the working directory of its session, if that has one of its own; determined once.
   * Rejects if that cannot be determined.
   */
  accessOf(call: ToolCall, cwd?: string): Promise<ToolAccess>;
  /** How a call is shown; undefined if its tool does not say, or does not take such arguments. */
  labelOf(call: ToolCall): ToolLabel | undefined;
  /** The author's permission for the calls of a tool. */
  permissionOf(wireName: string): PermissionAction;
  /** The server that runs a tool, and the definition by which the model knows it; undefined for other tools. */
  foreignOf(wireName: string): Pick<ForeignTool, "server" | "fingerprint"> | undefined;
  /** Runs a call that was not refused; parts of its result are reported while it runs. Never rejects. */
  run(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
}
