import { release as kernelRelease } from "node:os";

/** The most processes and threads of a sandbox. */
const MAX_PROCESSES = 512;

/**
 * The process limit for an ordinary user's command; undefined for kernels before 5.14, such as "5.10.0-8-amd64". Those also count
 * processes outside the sandbox, so that a command of a busy user could start none.
 */
export function processBound(release: string): number | undefined {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14) ? MAX_PROCESSES : undefined;
}

/** The same for this user on this system; undefined for root, whose processes `ulimit` does not limit. */
export const userProcessBound = (): number | undefined =>
  process.getuid?.() === 0 ? undefined : processBound(kernelRelease());

/** The data limit of a process in KiB, by purpose. */
export const MAX_KIBIBYTES = { shell: 4_194_304, tool: 1_048_576 } as const;

/** The default timeout of a call, in seconds: of a command, in a workspace too, where builds and tests run, and of a tool. */
export const DEFAULT_SECONDS = { shell: 30, workspace: 120, tool: 60 } as const;

/** The limits of a process and its descendants. */
export interface ProcessLimits {
  /** The data limit of each process in KiB. A process can raise its own limit. */
  readonly kibibytes?: number | undefined;
  /** The most processes and threads of the user in the namespace. */
  readonly processes?: number | undefined;
}

/** The limits as a line of shell. Limits that the system does not support are ignored. */
export function limitLine({ kibibytes, processes }: ProcessLimits): string {
  const memory = kibibytes === undefined ? [] : [`ulimit -S -d ${kibibytes} 2>/dev/null`];
  // Debian's shell uses `-p` for the option that other shells call `-u`.
  const count =
    processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`];
  return ["ulimit -c 0", ...memory, ...count].join("; ");
}
