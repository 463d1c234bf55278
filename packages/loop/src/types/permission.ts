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
  /** The access is unknown; the arguments are all that can be judged. */
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

/** The access that may be opened for a command that the sandbox blocked. */
export type GrantAnswer =
  | SandboxGrant
  /** The user's refusal, for the model. */
  | { readonly refused: string };

/** The accesses beyond the sandbox that the user allows the commands of a call. */
export interface SandboxGrants {
  /** The accesses that earlier answers allow a command. */
  known(command: string): readonly SandboxGrant[];
  /**
   * Asks the user to open the sandbox for an access that a command needs, as far as necessary. Undefined if it must stay closed,
   * nobody can be asked or `signal` fires. Never rejects.
   */
  ask(command: string, wanted: SandboxAccess, signal: AbortSignal): Promise<GrantAnswer | undefined>;
}

/** The user's own permissions. */
export interface UserPermissions {
  /** From the user's settings file. */
  readonly settings?: PermissionSettings;
  /** From the command line: patterns as in the settings. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Nothing is asked about; what the user denies stays denied. */
  readonly allowsAll?: boolean;
  /** From the command line: overrides the directory's mode. */
  readonly mode?: PermissionMode;
  /** From the user's settings file; the directory's mode can narrow it. Default: `ask` if somebody can be asked, else `edits`. */
  readonly usualMode?: PermissionMode;
}

/** A call that the user is asked about, before it runs or since the sandbox blocked its command. */
export interface ApprovalRequest {
  /** The session's name. */
  readonly session: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whose tool it is: another one may have the name of a builtin. Absent if the sandbox is to be opened for a command. */
  readonly toolOrigin?: ToolOrigin;
  /** The arguments that the tool would receive. */
  readonly args: JsonObject;
  /** How the call is shown, as in `tool_execution_start`; absent if the sandbox is to be opened for a command. */
  readonly label?: ToolLabel;
  readonly access: AskedAccess;
  /** Why the user is asked; a line without a full stop. */
  readonly reason: string;
  /** The scope of "always" and "this session": a pattern such as `bash(git status)`, or a line about the sandbox. */
  readonly pattern: string;
  /** The scope of "prefix": a pattern such as `bash(git status *)`; absent if that answer is not offered. */
  readonly prefix?: string;
  /** Whether "edits" is offered: the call writes in the workspace, and is asked about for the mode alone. */
  readonly offersEdits?: boolean;
}

/**
 * "prefix" allows the plain commands that `ApprovalRequest.prefix` matches, in this session. "edits" allows this call, and gives
 * the session the mode `edits` until the agent is closed or another mode is chosen. One that is not offered counts once.
 */
export type ApprovalAnswer = (
  | { readonly answer: "once" | "session" | "prefix" | "edits" | "always" }
  /** The reason goes to the model. */
  | { readonly answer: "no"; readonly reason?: string }
) & {
  /** How the user answered; kept in the journal. Default: "program". */
  readonly by?: "terminal" | "command" | "program";
};

/** Asks the user. Rejects when `signal` fires. */
export type AskApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** The decision about a call. */
export type PermissionDecision =
  | { readonly action: "allow" }
  /** The reason is what the model receives. */
  | { readonly action: "deny"; readonly reason: string };
