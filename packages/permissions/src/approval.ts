import type { AskedAccess, SandboxAccess } from "@mdx-ai/loop";

/** How long an approval is valid: for its session, or until the user revokes it. */
type ApprovalScope = "session" | "always";

/** The fields by which an approval and a call are compared. */
export interface CallMarks {
  /** Unique for each session, also among sessions of the same name. */
  readonly sessionKey: string;
  /** The author's name. */
  readonly tool: string;
  /** The hash of its code; absent for a builtin. */
  readonly codeHash?: string;
  /** The limits of the tool that no sandbox enforced when the user approved it; absent if there were none. */
  readonly unheld?: string;
  /** The exact command or path, or that the access is unknown; a hash of it in a file. */
  readonly access: string;
  /** For a call: the access that an approval of its command prefix has; a hash of it when it is compared with a file. */
  readonly prefix?: string;
}

/** An approval of the user. */
export interface Approval extends CallMarks {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The allowed access as text for people: redacted in a file, never compared. */
  readonly pattern: string;
  readonly scope: ApprovalScope;
  /** The host or path that it grants to sandboxed commands. */
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

export type ApprovalTest = (approval: Approval, call: CallMarks) => boolean;

/** The same, with the compared fields in place of the access. */
export function withAccess<Call extends { readonly access: AskedAccess | CommandsAccess; readonly prefix?: string }>({
  access,
  prefix,
  ...call
}: Call): Omit<Call, "access" | "prefix"> & Pick<Approval, "access" | "opens" | "prefix"> {
  // A command may contain a key, so only its hash is kept.
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

/** Whether an approval allows a call, ignoring the hash of its tool's code. */
export const coversOtherCode: ApprovalTest = (approval, call) => {
  if (approval.tool !== call.tool || !isOfAccess(approval, call)) return false;
  // An approval for sandboxed calls does not allow a call outside a sandbox.
  if (call.unheld !== undefined && approval.unheld !== call.unheld) return false;
  switch (approval.scope) {
    case "session":
      return approval.sessionKey === call.sessionKey;
    case "always":
      return true;
  }
};

/** Only an approval of a prefix has such an access, and it lasts for a session. */
const isOfAccess: ApprovalTest = ({ access, scope }, call) =>
  access === call.access || (scope === "session" && access === call.prefix);
