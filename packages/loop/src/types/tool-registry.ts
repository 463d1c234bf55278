import type { JsonObject } from "@mdx-ai/base";
import type { ToolCall, ToolSchema } from "@mdx-ai/models";
import type { PermissionAction, ToolEffect } from "@mdx-ai/parser";
import type { SandboxGrants, ToolAccess } from "./permission.ts";
import type { AskingCall } from "./question.ts";
import type { FileKeeper, ForeignTool, ToolResult } from "./tool.ts";
import type { ToolLabel } from "./tool-label.ts";
import type { ToolOrigin } from "./tool-origin.ts";

/** A tool result with its error flag. */
export type ToolOutcome = ToolResult & { readonly isError: boolean };

/** The result of a call for the model. */
export type ToolAnswer = Pick<ToolOutcome, "content" | "isError">;

/** Identifies a tool by name and origin: in another session, a tool of another origin may have the same name. */
export interface NamedTool {
  /** The author's name. */
  readonly name: string;
  readonly origin: ToolOrigin;
}

/** A tool of the plan, with the properties that the loop needs and a trace shows. */
export interface PlannedTool extends NamedTool {
  /** The wire name, which models use. */
  readonly wire: string;
  readonly readOnly?: true;
  readonly idempotent?: true;
  readonly effects?: ToolEffect;
}

/** The context of a running call. */
interface CallContext {
  readonly session: string;
  /** The working directory of the session. Absolute. Default: the agent's working directory. */
  readonly cwd?: string;
  /** Passed to builtin and skill tools. */
  readonly grants?: SandboxGrants;
  /** Passed to builtin tools. */
  readonly keeper?: FileKeeper;
  /** Passed to remote tools and agents. */
  readonly asking?: AskingCall;
  readonly signal: AbortSignal;
  readonly onUpdate: (partialResult: ToolResult) => void;
}

/** A snapshot of an agent's tools, by the wire names that models use. */
export interface ToolRegistry {
  /** In a fixed order. */
  readonly schemas: readonly ToolSchema[];
  /** Their entries in the plan of a prompt, in the same order. */
  readonly planned: readonly PlannedTool[];
  /** The author's name of a tool; the wire name if the tool is unknown. */
  nameOf(wireName: string): string;
  /**
   * Normalizes a call for its tool, with the exact wire name. The normalized call is decided, journaled, shown and run. Returns the same
   * call if it is valid already or ambiguous. Depends on the call alone. Never rejects.
   */
  understood(call: ToolCall): Promise<ToolCall>;
  /**
   * A call as requests show it to the model, which knows only the tools of `schemas`; absent if it knows all tools. Depends on the call
   * alone.
   */
  readonly sent?: (call: ToolCall) => ToolCall;
  /** Why a call must not run (unknown tool, invalid arguments). Depends on the call alone. */
  refusal(call: ToolCall): string | undefined;
  /** The tool's input for an accepted call: its arguments with defaults filled in. */
  argumentsOf(call: ToolCall): JsonObject;
  /**
   * The access of an accepted call, relative to the working directory of its session. Determined once.
   * Rejects if it cannot be determined.
   */
  accessOf(call: ToolCall, cwd?: string): Promise<ToolAccess>;
  /** The display text of a call; undefined if its tool defines none or the arguments are invalid. */
  labelOf(call: ToolCall): ToolLabel | undefined;
  /** The author's permission for the calls of a tool. */
  permissionOf(wireName: string): PermissionAction;
  /** The server of a remote tool and the definition that the model received; undefined for other tools. */
  foreignOf(wireName: string): Pick<ForeignTool, "server" | "fingerprint"> | undefined;
  /** Runs an accepted call and reports partial results. Never rejects. */
  run(call: ToolCall, context: CallContext): Promise<ToolOutcome>;
}
