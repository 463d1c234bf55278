import { existsSync } from "node:fs";
import { findProgram } from "../files/find-program.ts";
import type { SandboxOptions } from "./enclosure.ts";
import type { SandboxPrograms } from "./holder.ts";

/** What can contain a process on this system. */
export type Container =
  | { readonly program: "bubblewrap"; readonly programs: SandboxPrograms }
  | { readonly program: "sandbox-exec" };

/** Of macOS. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Undefined if a program is not installed where the agent cannot have put it. */
export function findContainer(options: SandboxOptions): Container | undefined {
  if (process.platform === "darwin") return existsSync(SANDBOX_EXEC) ? { program: "sandbox-exec" } : undefined;
  if (process.platform !== "linux") return undefined;
  const [bubblewrap, nsenter] = ["bwrap", "nsenter"].map((name) => find(name, options));
  return bubblewrap && nsenter ? { program: "bubblewrap", programs: { bubblewrap, nsenter } } : undefined;
}

const find = (name: string, { environment, agentDir, cwd, policy }: SandboxOptions): string | undefined =>
  findProgram(name, { environment, outside: [agentDir, cwd, ...policy.write] });

/** Why there is no sandbox if `findContainer` finds nothing. A line without a full stop. */
export function withoutContainer(options: SandboxOptions): string {
  if (process.platform === "darwin") return `${SANDBOX_EXEC} is missing`;
  if (process.platform !== "linux") return `there is no bubblewrap for this system (${process.platform})`;
  return find("bwrap", options) === undefined
    ? "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    : "nsenter is not installed (on Debian and Ubuntu: apt install util-linux)";
}
