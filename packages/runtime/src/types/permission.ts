import type { JsonObject, ToolCall } from "@mdx-ai/models";
import type { PermissionSettings } from "@mdx-ai/parser";

/** What a call is about to touch, as far as that is known before it runs. */
export type ToolTouch =
  /** A real path, absolute, with all symbolic links resolved; of a file that is not there that of its folder, and its name. */
  | { readonly kind: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  /** What it touches is not known; all that can be told are its arguments. */
  | { readonly kind: "call" };

/** What the user says of permissions. */
export interface UserPermissions {
  /** Of the user's own settings file. */
  readonly settings?: PermissionSettings;
  /** Of the command line: patterns as in the settings. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Nothing is asked; what the user denies stays denied. */
  readonly allowsAll?: boolean;
}

/** A call that the user is asked about. */
export interface ApprovalRequest {
  readonly session: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the tool would see. */
  readonly args: JsonObject;
  readonly touch: ToolTouch;
  /** Why it is asked; a line without a full stop. */
  readonly reason: string;
  /** The pattern that "always" and "for this session" would allow, such as `bash(git status)`. */
  readonly pattern: string;
}

export type ApprovalAnswer =
  | { readonly answer: "once" | "session" | "always" }
  /** The reason goes to the model. */
  | { readonly answer: "no"; readonly reason?: string };

/** Asks the user. Rejects where `signal` fires. */
export type AskApproval = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** What was decided about a call. A step of its prompt where it was asked or refused. */
export type PermissionDecision =
  /** `id` tells an approval from all others; absent where nobody was asked. */
  | { readonly verdict: "allow"; readonly id?: string }
  /** What the model is told. */
  | { readonly verdict: "deny"; readonly reason: string };

/** What stands between a model's call and its tool. */
export interface PermissionGate {
  /** Decides without asking; undefined where the user must be asked. */
  rule(call: ToolCall): Promise<PermissionDecision | undefined>;
  /** Asks the user, or denies where nobody can be asked or `signal` fires. */
  ask(call: ToolCall, signal: AbortSignal): Promise<PermissionDecision>;
  /** Whether a decision that an earlier process wrote down is the user's own. */
  confirms(call: ToolCall, decision: PermissionDecision): Promise<boolean>;
}
