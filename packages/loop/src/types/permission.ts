import type { JsonObject } from "@mdx-ai/base";
import type { PermissionMode, PermissionSettings } from "@mdx-ai/parser";
import type { ToolLabel } from "./tool-label.ts";
import type { ToolOrigin } from "./tool-origin.ts";

/** The access of a call, as far as it is known before the call runs. */
export type ToolAccess =
  /** An absolute path with all symbolic links resolved, also for a file that does not exist. */
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  /** As `sandbox.network` lists hosts, such as `example.com` or `127.0.0.1:8080`. */
  | { readonly kind: "host"; readonly host: string }
  /** The access is unknown, so only the arguments can be checked. */
  | { readonly kind: "call" };

/** An access of a command beyond its sandbox, requested or allowed. */
export type SandboxAccess =
  /** As `sandbox.network` lists hosts, such as `example.com` or `127.0.0.1:8080`. */
  | { readonly kind: "host"; readonly host: string }
  /** Absolute and real; a folder includes everything in it. */
  | { readonly kind: "write"; readonly path: string }
  /** Absolute and real; a folder includes everything in it except secrets. `name` is another path that leads there by a link. */
  | { readonly kind: "read"; readonly path: string; readonly name?: string }
  /** Everything: this command runs without a sandbox. */
  | { readonly kind: "outside"; readonly command: string };

/** The access of a call, or an access of a running call's command beyond its sandbox. */
export type AskedAccess = ToolAccess | { readonly kind: "sandbox"; readonly wanted: SandboxAccess };

/** An access beyond the sandbox that the user allows a command, and for how long. */
export interface SandboxGrant {
  readonly access: SandboxAccess;
  readonly lasts: "once" | "session" | "always";
}

/** The access that may be granted to a command that the sandbox blocked. */
export type GrantAnswer =
  | SandboxGrant
  /** The user's refusal, for the model. */
  | { readonly refused: string };

/** The accesses beyond the sandbox that the user allows the commands of a call. */
export interface SandboxGrants {
  /** The accesses that earlier answers allow a command. */
  known(command: string): readonly SandboxGrant[];
  /**
   * Asks the user to grant an access that a command needs, if necessary. Undefined if the access must not be granted,
   * no one can be asked or `signal` fires. Never rejects.
   */
  ask(command: string, wanted: SandboxAccess, signal: AbortSignal): Promise<GrantAnswer | undefined>;
}

/** The user's permissions. */
export interface UserPermissions {
  /** From the user's settings file. */
  readonly settings?: PermissionSettings;
  /** From the command line: patterns as in the settings. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Allows calls without asking. The user's denials still apply. */
  readonly allowsAll?: boolean;
  /** From the command line: overrides the directory's mode. */
  readonly mode?: PermissionMode;
  /** From the user's settings file; the directory's mode can narrow it. Default: `ask` if the user can be asked, else `edits`. */
  readonly usualMode?: PermissionMode;
}

/** A question about a call, before it runs or after the sandbox blocked its command. */
export interface ApprovalRequest {
  /** The session's name. */
  readonly session: string;
  readonly toolCallId: string;
  /** As in the head of the question. */
  readonly agent?: string;
  readonly toolName: string;
  /** The origin of the tool: another tool may have the name of a builtin. Absent for a question about the sandbox. */
  readonly toolOrigin?: ToolOrigin;
  /** The arguments that the tool would receive. */
  readonly args: JsonObject;
  /** The display text of the call, as in `tool_execution_start`. Absent for a question about the sandbox. */
  readonly label?: ToolLabel;
  readonly access: AskedAccess;
  /** Why the user is asked; a line without a full stop. */
  readonly reason: string;
  /** The scope of "always" and "this session": a pattern such as `bash(git status)`, or a line about the sandbox. */
  readonly pattern: string;
  /** The scope of "prefix": a pattern such as `bash(git status *)`; absent if that answer is not offered. */
  readonly prefix?: string;
  /** Whether "edits" is offered: the call writes in the workspace, and only the mode requires the question. */
  readonly offersEdits?: boolean;
}

/**
 * "prefix" allows the plain commands that `ApprovalRequest.prefix` matches, in this session. "edits" allows this call and sets
 * the session's mode to `edits` until the agent is closed or another mode is chosen. An answer that was not offered counts as "once".
 */
export type ApprovalAnswer = (
  | { readonly answer: "once" | "session" | "prefix" | "edits" | "always" }
  /** The model receives the reason. */
  | { readonly answer: "no"; readonly reason?: string }
) & {
  /** The source of the answer; journaled. Default: "program". */
  readonly by?: "terminal" | "command" | "program";
};

/** Asks the user. Rejects when `signal` fires. */
export type AskApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** The decision about a call. */
export type PermissionDecision =
  | { readonly action: "allow" }
  /** The model receives the reason. */
  | { readonly action: "deny"; readonly reason: string };
