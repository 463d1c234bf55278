import { attachBare } from "../sandbox/attached-process.ts";
import { MOST_KIBIBYTES } from "../sandbox/process-limits.ts";
import type { SandboxAccess } from "../types/permission.ts";
import type { AttachedProcess } from "../types/sandbox.ts";
import { shellEnvironment } from "./shell-environment.ts";
import type { ShellOptions } from "./shell-run.ts";

interface AttachedCommand {
  readonly command: readonly string[];
  /** The folder in which it runs. Absolute. */
  readonly cwd: string;
  /** What the user opened for all commands of the tool. */
  readonly opened: readonly SandboxAccess[];
}

/** Starts a command in the environment of the tool `bash`. As `Agent.attachCommand`. */
export async function attachCommand(
  { environment, sandbox }: ShellOptions,
  { command, cwd, opened }: AttachedCommand,
): Promise<AttachedProcess> {
  const enclosure = await sandbox?.enclose({ purpose: "shell", opened });
  const start = { command, cwd, environment: shellEnvironment(environment, enclosure !== undefined) };
  if (enclosure === undefined) return attachBare(start);
  try {
    const attached = enclosure.attach({ ...start, kibibytes: MOST_KIBIBYTES.shell });
    return { ...attached, exited: attached.exited.finally(() => enclosure.release()) };
  } catch (error) {
    enclosure.release();
    throw error;
  }
}
