import { findProgram } from "@mdx-ai/runtime/files";
import type { Surroundings } from "../surroundings.ts";

/** A network of its own, which has a loopback and nothing else; all the rest is as outside. */
const FLAGS = ["--unshare-net", "--dev-bind", "/", "/", "--"] as const;

/**
 * The same surroundings with tools of an agent directory that reach no network but their own loopback, by bubblewrap; undefined
 * where bubblewrap is not installed or not allowed to work.
 */
export async function withoutNetwork(agentDir: string, surroundings: Surroundings): Promise<Surroundings | undefined> {
  const { environment, currentDirectory } = surroundings;
  const program = findProgram("bwrap", { environment, outside: [agentDir], cwd: currentDirectory });
  if (program === undefined) return undefined;
  const command = [program, ...FLAGS];
  if (!(await works([...command, "/bin/sh", "-c", ":"]))) return undefined;
  return { ...surroundings, toolNetwork: "none" };
}

async function works(command: readonly string[]): Promise<boolean> {
  try {
    const child = Bun.spawn([...command], { stdio: ["ignore", "ignore", "ignore"] });
    return (await child.exited) === 0;
  } catch {
    // It may not be executed, or the system has no room for another process.
    return false;
  }
}
