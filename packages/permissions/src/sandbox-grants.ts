import type { JsonObject } from "@mdx-ai/base";
import { isFolder } from "@mdx-ai/base/disk";
import type {
  Answer,
  ApprovalRequest,
  ApprovalSubject,
  AskedAccess,
  GrantAnswer,
  SandboxAccess,
  SandboxGrant,
  SandboxGrants,
} from "@mdx-ai/loop";
import { type Grantable, grantableFor, isStillGrantable } from "./grantable.ts";
import { escaped } from "./patterns.ts";
import type { Permissions } from "./permissions.ts";

interface GrantsOptions {
  readonly permissions: Permissions;
  /** The name of the session, shown to the user. */
  readonly session: string;
  /** As in the permission gate. */
  readonly sessionKey: string;
  readonly toolCallId: string;
  /** The author's name. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Asks the user of the session. Never rejects. */
  ask(subject: ApprovalSubject, signal: AbortSignal, isSettled: () => boolean): Promise<Answer>;
}

/** The hosts and paths that the user grants to the commands of a call, by earlier and by new answers. */
export function sandboxGrants(options: GrantsOptions): SandboxGrants {
  const { permissions, tool, sessionKey } = options;
  const given: SandboxGrant[] = [];
  const known = (command: string): readonly SandboxGrant[] =>
    permissions.approvals
      .grants(tool, sessionKey, command)
      .filter(({ access }) => isStillGrantable(permissions, access));
  const settled = (command: string, access: SandboxAccess): SandboxGrant | undefined => {
    const earlier = [...given, ...known(command)].find((grant) => isSame(grant.access, access));
    return earlier && { ...earlier, access };
  };
  const ask = async (command: string, wanted: SandboxAccess, signal: AbortSignal): Promise<GrantAnswer | undefined> => {
    const grantable = grantableFor(permissions, command, wanted);
    if (grantable === undefined || !permissions.canAsk) return undefined;
    const { access } = grantable;
    // The answer to an earlier question may already decide this one.
    const answer = await askUser(options, grantable, {
      signal,
      isSettled: () => settled(command, access) !== undefined,
    });
    if (answer === undefined) return settled(command, access);
    if ("access" in answer) given.push(answer);
    return answer;
  };
  return {
    known,
    // Without an answer, nothing is granted.
    ask: (command, wanted, signal) => ask(command, wanted, signal).catch(() => undefined),
  };
}

/** The hosts and paths that the user always grants to all commands of a tool. */
export const lastingAccesses = ({
  permissions,
  tool,
}: Pick<GrantsOptions, "permissions" | "tool">): readonly SandboxAccess[] =>
  permissions.approvals
    .grants(tool, "", "")
    .filter(
      ({ access, lasts }) => lasts === "always" && access.kind !== "outside" && isStillGrantable(permissions, access),
    )
    .map(({ access }) => access);

/** Whether two accesses grant the same, even if commands name it differently. */
function isSame(one: SandboxAccess, other: SandboxAccess): boolean {
  if (one.kind === "read" && other.kind === "read") return one.path === other.path;
  return Bun.deepEquals(one, other, true);
}

async function askUser(
  options: GrantsOptions,
  { access: wanted, reason }: Grantable,
  { signal, isSettled }: { readonly signal: AbortSignal; readonly isSettled: () => boolean },
): Promise<GrantAnswer | undefined> {
  const { permissions, session, sessionKey, tool, toolCallId, args, ask } = options;
  const access: AskedAccess = { kind: "sandbox", wanted };
  const pattern = patternOf(tool, wanted);
  const request: ApprovalRequest = { session, toolCallId, toolName: tool, args, access, reason, pattern };
  const answer = await ask({ kind: "approval", request }, signal, isSettled);
  // Without an answer of the user, nothing is granted.
  if (answer.by === "stop" || answer.by === "failure") return undefined;
  if (answer.answer === "no") return { refused: refusedText(answer.reason) };
  // The other answers are not offered here.
  if (answer.answer !== "session" && answer.answer !== "always") return { access: wanted, lasts: "once" };
  const given = { sessionKey, tool, access, pattern, scope: answer.answer };
  await permissions.approvals.add({ ...given, id: crypto.randomUUID(), at: permissions.options.now() });
  return { access: wanted, lasts: answer.answer };
}

/** The scope of an answer that covers more than one call, as text for people. */
function patternOf(tool: string, access: SandboxAccess): string {
  switch (access.kind) {
    case "host":
      return `all commands to reach ${access.host}`;
    case "write":
      return `all commands to write ${access.path}${isFolder(access.path) ? " and all in it" : ""}`;
    case "read":
      return `all commands to read ${access.path}${isFolder(access.path) ? " and all in it" : ""}`;
    case "outside":
      return `${escaped(tool)}(${escaped(access.command)}) without a sandbox`;
  }
}

const refusedText = (words = ""): string => `the user did not allow it${words.trim() && `: ${words.trim()}`}`;
