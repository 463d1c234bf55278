import { release as kernelRelease } from "node:os";

/** Processes and threads that a sandbox may have at a time. */
const MAX_PROCESSES = 512;

/**
 * How many processes an ordinary user's command may have; undefined for kernels before 5.14, such as "5.10.0-8-amd64": those
 * count the user's processes outside of the sandbox too, so that a command of a busy user could start none.
 */
export function processBound(release: string): number | undefined {
  const [major = 0, minor = 0] = release.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14) ? MAX_PROCESSES : undefined;
}

/** The same of a command of this user here; undefined for root, whose processes `ulimit` does not limit. */
export const userProcessBound = (): number | undefined =>
  process.getuid?.() === 0 ? undefined : processBound(kernelRelease());

/** KiB of data that a process may use, by its purpose. */
export const MAX_KIBIBYTES = { shell: 4_194_304, tool: 1_048_576 } as const;

/** Seconds after which a call is stopped unless it, or the tool, says otherwise. */
export const DEFAULT_SECONDS = { shell: 30, tool: 60 } as const;

/** The limits of a process and its descendants. */
export interface ProcessLimits {
  /** KiB of data that each process may use; a process may raise the limit for itself. */
  readonly kibibytes?: number | undefined;
  /** Processes and threads of the user in the namespace. */
  readonly processes?: number | undefined;
}

/** The limits as a line of shell. A limit that the system does not know is left out. */
export function limitLine({ kibibytes, processes }: ProcessLimits): string {
  const memory = kibibytes === undefined ? [] : [`ulimit -S -d ${kibibytes} 2>/dev/null`];
  // Debian's shell calls by `-p` what all others call `-u`.
  const count =
    processes === undefined ? [] : [`ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null`];
  return ["ulimit -c 0", ...memory, ...count].join("; ");
}
