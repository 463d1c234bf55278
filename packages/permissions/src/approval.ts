import type { AskedAccess, SandboxAccess } from "@mdx-ai/loop";

/** How long an approval holds: for its session, or until the user revokes it. */
type ApprovalScope = "session" | "always";

/** The fields by which an approval and a call are compared. */
export interface CallMarks {
  /** Unique for each incarnation of a session. */
  readonly sessionKey: string;
  /** The author's name. */
  readonly tool: string;
  /** The hash of its code; absent for a builtin. */
  readonly codeHash?: string;
  /** The limits of the tool that nothing enforced then; absent if there were none. */
  readonly unheld?: string;
  /** The exact command, the exact path, or that the access is unknown; sealed in a file. */
  readonly access: string;
  /** Of a call: the access by which an approval of all commands with its prefix is found; sealed when it is compared. */
  readonly prefix?: string;
}

/** An approval of the user. */
export interface Approval extends CallMarks {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The allowed access, for people; redacted in a file, and never compared. */
  readonly pattern: string;
  readonly scope: ApprovalScope;
  /** The host or the path that it opens the sandbox for. */
  readonly opens?: SandboxAccess;
}

/** A call that approvals are compared with. */
export interface ApprovedCall extends Omit<CallMarks, "access" | "prefix"> {
  readonly access: AskedAccess;
  /** The first words of its command, if an approval of all commands that begin with them may allow it. */
  readonly prefix?: string;
}

/** All plain commands that begin with these words. */
interface CommandsAccess {
  readonly kind: "commands";
  readonly prefix: string;
}

/** The user's answer to the question about a call. */
export interface GivenApproval extends Omit<CallMarks, "access" | "prefix">, Omit<Approval, keyof CallMarks | "opens"> {
  readonly access: AskedAccess | CommandsAccess;
}

/** Whether an approval is the one in question. */
export type ApprovalTest = (approval: Approval, call: CallMarks) => boolean;

/** The same with what an approval is compared by in place of the access. */
export function withAccess<Call extends { readonly access: AskedAccess | CommandsAccess; readonly prefix?: string }>({
  access,
  prefix,
  ...call
}: Call): Omit<Call, "access" | "prefix"> & Pick<Approval, "access" | "opens" | "prefix"> {
  // A command may hold a key: it is compared, and not kept.
  const opens = access.kind === "sandbox" && access.wanted.kind !== "outside" ? { opens: access.wanted } : {};
  const ofPrefix = prefix === undefined ? {} : { prefix: accessText({ kind: "commands", prefix }) };
  return { ...call, access: accessText(access), ...ofPrefix, ...opens };
}

/** A text that is equal only for equal accesses. */
export function accessText(access: AskedAccess | CommandsAccess): string {
  switch (access.kind) {
    case "read":
    case "write":
      return `${access.kind} ${access.path}`;
    case "command":
      return `${access.kind} ${access.command}`;
    case "commands":
      return `${access.kind} ${access.prefix}`;
    case "sandbox":
      return `${access.kind} ${sandboxText(access.wanted)}`;
    case "host":
      return `${access.kind} ${access.host}`;
    case "call":
      return access.kind;
  }
}

function sandboxText(access: SandboxAccess): string {
  if (access.kind !== "read") return Object.values(access).join(" ");
  // Two paths, which may contain blanks.
  return [`${access.kind} ${access.path}`, ...(access.name === undefined ? [] : [access.name])].join("\0");
}

/** Whether an approval allows a call. */
export const covers: ApprovalTest = (approval, call) =>
  approval.codeHash === call.codeHash && coversOtherCode(approval, call);

/** Whether an approval allows a call, whatever the code of its tool. */
export const coversOtherCode: ApprovalTest = (approval, call) => {
  if (approval.tool !== call.tool || !isOfAccess(approval, call)) return false;
  // An approval in a sandbox does not hold without one.
  if (call.unheld !== undefined && approval.unheld !== call.unheld) return false;
  switch (approval.scope) {
    case "session":
      return approval.sessionKey === call.sessionKey;
    case "always":
      return true;
  }
};

/** Nothing but the answer about a prefix has the access of one, and that lasts for a session. */
const isOfAccess: ApprovalTest = ({ access, scope }, call) =>
  access === call.access || (scope === "session" && access === call.prefix);
