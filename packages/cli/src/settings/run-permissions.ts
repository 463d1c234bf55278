import { join } from "node:path";
import type { AgentDirectory, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import type { AgentOptions, UserPermissions } from "@mdx-ai/runtime";
import type { PermissionFlags } from "../arguments/permission-flags.ts";
import type { CommandContext } from "../command-context.ts";
import { realFolder, stateDirectory } from "../places/user-directories.ts";
import { plainLine } from "../plain-text.ts";
import { journalKey } from "../sessions/journal-key.ts";
import { userSettings } from "./user-settings.ts";
import { vainPatterns } from "./vain-patterns.ts";

/** The permissions and the containment of a run. */
export type RunPermissions = Pick<AgentOptions, "permissions" | "approvalsDirectory" | "journalKey" | "sandbox">;

/** A run, and whether it keeps approvals. */
interface PermittedRun extends PermissionFlags {
  readonly isEphemeral: boolean;
  /** The folder of the agent's data; the agent directory if absent. Absolute. */
  readonly data?: string | undefined;
}

/** The user's permissions, from flags and settings; warns about flags without effect. Rejects with `UserSettingsError`. */
export async function runPermissions(
  run: PermittedRun,
  { path, definition }: AgentDirectory,
  context: CommandContext,
): Promise<RunPermissions> {
  const warn = (line: string): void => context.stderr.write(`mdx-ai: warning: ${plainLine(line)}\n`);
  for (const line of await vainPatterns(run, definition)) warn(line);
  const settings = await userSettings(path, context, run.data);
  const sandbox = sandboxOf(run.sandboxMode, settings.sandbox);
  const state = run.isEphemeral ? undefined : decisionsFolder(path, context);
  return {
    permissions: permissionsOf(run, settings.permissions),
    ...(sandbox !== undefined && { sandbox }),
    ...(state !== undefined && {
      approvalsDirectory: join(state, "approvals"),
      journalKey: journalKey(join(state, "session-key"), warn),
    }),
  };
}

function permissionsOf(
  { allow, deny, allowsAll }: PermissionFlags,
  settings: UserPermissions["settings"],
): UserPermissions {
  return { allow, deny, allowsAll, ...(settings !== undefined && { settings }) };
}

/** The flag decides whether there is a sandbox, the settings decide how it is. */
function sandboxOf(
  flag: SandboxMode | undefined,
  settings: SandboxMode | SandboxSettings | undefined,
): SandboxSettings | undefined {
  const given = typeof settings === "string" ? { mode: settings } : settings;
  return flag === undefined ? given : { ...given, mode: flag };
}

/** The folder of what the user decided; undefined if the agent could write it. */
function decisionsFolder(agentDir: string, { environment }: CommandContext): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined || isWithin(realFolder(agentDir), realFolder(state))) return undefined;
  return state;
}
