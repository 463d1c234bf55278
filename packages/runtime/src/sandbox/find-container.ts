import { existsSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import type { SandboxPrograms } from "./holder.ts";

/** What can contain a process on this system. */
export type Container =
  | { readonly program: "bubblewrap"; readonly programs: SandboxPrograms }
  | { readonly program: "sandbox-exec" };

/** Of macOS. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

const PROGRAMS = { bubblewrap: "bwrap", nsenter: "nsenter" } as const;

/** Undefined if a program is not installed. */
export function findContainer(environment: Environment): Container | undefined {
  if (process.platform === "darwin") return existsSync(SANDBOX_EXEC) ? { program: "sandbox-exec" } : undefined;
  if (process.platform !== "linux") return undefined;
  const PATH = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const [bubblewrap, nsenter] = [PROGRAMS.bubblewrap, PROGRAMS.nsenter].map((name) => Bun.which(name, { PATH }));
  return bubblewrap && nsenter ? { program: "bubblewrap", programs: { bubblewrap, nsenter } } : undefined;
}

/** Why there is no sandbox if `findContainer` finds nothing. A line without a full stop. */
export function withoutContainer(environment: Environment): string {
  if (process.platform === "darwin") return `${SANDBOX_EXEC} is missing`;
  if (process.platform !== "linux") return `there is no bubblewrap for this system (${process.platform})`;
  const PATH = environment["PATH"] ?? "";
  return Bun.which("bwrap", { PATH }) === null
    ? "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    : "nsenter is not installed (on Debian and Ubuntu: apt install util-linux)";
}
