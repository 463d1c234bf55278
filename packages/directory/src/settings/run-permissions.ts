import { join } from "node:path";
import type { AgentDirectory, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import type { AgentOptions, UserPermissions } from "@mdx-ai/runtime";
import { isWithin, realFolder, stateDirectory } from "../places/user-directories.ts";
import { type Surroundings, warn } from "../surroundings.ts";
import { journalKey } from "./journal-key.ts";
import type { PermissionFlags } from "./permission-flags.ts";
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

/** The user's permissions, from flags and settings; warns about flags without effect. Rejects with `DirectoryError` ("settings"). */
export async function runPermissions(
  run: PermittedRun,
  { path, definition }: AgentDirectory,
  surroundings: Surroundings,
): Promise<RunPermissions> {
  const onWarning = warn(surroundings);
  for (const line of await vainPatterns(run, definition)) onWarning(line);
  const settings = await userSettings(path, surroundings, run.data);
  const sandbox = sandboxOf(run.sandboxMode, settings.sandbox);
  const state = run.isEphemeral ? undefined : decisionsFolder(path, surroundings);
  return {
    permissions: permissionsOf(run, settings.permissions),
    ...(sandbox !== undefined && { sandbox }),
    ...(state !== undefined && {
      approvalsDirectory: join(state, "approvals"),
      journalKey: journalKey(join(state, "session-key"), onWarning),
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
function decisionsFolder(agentDir: string, { environment }: Surroundings): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined || isWithin(realFolder(agentDir), realFolder(state))) return undefined;
  return state;
}
