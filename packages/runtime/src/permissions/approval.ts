import { isRecord } from "../record.ts";
import type { ToolTouch } from "../types/permission.ts";

/** For how long an approval holds: for its call, for its session, or until it is taken back. */
type ApprovalScope = "once" | "session" | "always";

/** What the user let a tool do: a line of the file of approvals. */
export interface Approval {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly session: string;
  /** The author's name. */
  readonly tool: string;
  /** What its code was; absent for a builtin. */
  readonly codeHash?: string;
  /** For people: what is let through. */
  readonly pattern: string;
  readonly touch: ToolTouch;
  /** A hash of the call: its id, its tool and its arguments. */
  readonly call: string;
  readonly scope: ApprovalScope;
}

/** A call, as approvals are held against it. */
export type ApprovedCall = Omit<Approval, "id" | "at" | "pattern" | "scope">;

/** Whether an approval lets a call through. */
export function covers(approval: Approval, call: ApprovedCall): boolean {
  if (!isOfSameThing(approval, call) || approval.codeHash !== call.codeHash) return false;
  switch (approval.scope) {
    case "once":
      return approval.session === call.session && approval.call === call.call;
    case "session":
      return approval.session === call.session;
    case "always":
      return true;
  }
}

/** Whether an approval is void for the sole reason that the tool's code has changed. */
export const isOutdated = (approval: Approval, call: ApprovedCall): boolean =>
  approval.codeHash !== call.codeHash && covers({ ...approval, ...codeOf(call) }, call);

const codeOf = ({ codeHash }: ApprovedCall): Pick<Approval, "codeHash"> => (codeHash === undefined ? {} : { codeHash });

const isOfSameThing = (approval: Approval, { tool, touch }: ApprovedCall): boolean =>
  approval.tool === tool && Bun.deepEquals(approval.touch, touch, true);

/** Whether a line of the file of approvals is one. */
export function isApproval(value: unknown): value is Approval {
  if (!isRecord(value)) return false;
  const { id, at, session, tool, codeHash, pattern, touch, call, scope } = value;
  const areTexts = [id, session, tool, pattern, call, codeHash ?? ""].every((text) => typeof text === "string");
  return areTexts && typeof at === "number" && isTouch(touch) && isScope(scope);
}

const isScope = (value: unknown): value is ApprovalScope =>
  value === "once" || value === "session" || value === "always";

function isTouch(value: unknown): value is ToolTouch {
  if (!isRecord(value)) return false;
  const { kind, path, command } = value;
  if (kind === "read" || kind === "write") return typeof path === "string";
  return kind === "command" ? typeof command === "string" : kind === "call";
}
