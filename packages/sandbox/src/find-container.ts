import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { findProgram, findUnused, type ProgramSearch, type UnusedProgram } from "@mdx-ai/base/disk";
import type { SandboxOptions } from "./command-sandbox.ts";
import type { SandboxPrograms } from "./holder.ts";
import { isSystem } from "./homes.ts";

/** The sandbox programs of this system. */
export type Container =
  | { readonly program: "bubblewrap"; readonly programs: SandboxPrograms }
  | { readonly program: "sandbox-exec" };

/** The folders that the agent, or the sender of its directory, can write to; programs in them are not used. */
export type ContainerSearch = Pick<SandboxOptions, "environment" | "agentDir" | "cwd" | "workspace" | "policy">;

/** The sandbox program of macOS. */
const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** Undefined if a program is missing, or only installed where the agent can write. */
export function findContainer(options: ContainerSearch): Container | undefined {
  if (process.platform === "darwin") return existsSync(SANDBOX_EXEC) ? { program: "sandbox-exec" } : undefined;
  if (process.platform !== "linux") return undefined;
  const search = searchOf(options);
  const bubblewrap = findProgram("bwrap", search);
  const nsenter = findProgram("nsenter", search);
  return bubblewrap && nsenter ? { program: "bubblewrap", programs: { bubblewrap, nsenter } } : undefined;
}

/** A program on `PATH`, outside of the folders that the agent or the sender of its directory can write to. */
export const findOutside = (name: string, options: ContainerSearch): string | undefined =>
  findProgram(name, searchOf(options));

const searchOf = ({ environment, agentDir, cwd, workspace, policy }: ContainerSearch): ProgramSearch => ({
  environment,
  outside: [agentDir, ...(workspace === undefined || isSystem(workspace) ? [] : [workspace]), ...policy.write],
  cwd,
});

/** Why `findContainer` found nothing. A line without a full stop. */
export function withoutContainer(options: ContainerSearch): string {
  if (process.platform === "darwin") return `${SANDBOX_EXEC} is missing`;
  if (process.platform !== "linux") return `there is no bubblewrap for this system (${process.platform})`;
  const [name, whyMissing] =
    findOutside("bwrap", options) === undefined ? ["bwrap", NO_BUBBLEWRAP] : ["nsenter", NO_NSENTER];
  const unused = findUnused(name, searchOf(options));
  return unused === undefined ? whyMissing : `${name} is in ${dirname(unused.path)}, ${whyUnused(unused, options)}`;
}

const NO_BUBBLEWRAP = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";
const NO_NSENTER = "nsenter is not installed (on Debian and Ubuntu: apt install util-linux)";

function whyUnused({ folder }: UnusedProgram, { agentDir, workspace, policy }: ContainerSearch): string {
  if (folder === agentDir) return "which is in the agent directory, so it is not used; install it for the whole system";
  if (folder === workspace) return "which is in the workspace, so it is not used; install it for the whole system";
  if (policy.write.includes(folder))
    return "which the agent may write to, so it is not used; remove it from sandbox.write";
  return "which is in the current folder, so it is not used; start elsewhere";
}
