/** What a process and all that it starts may use up. */
export interface ProcessLimits {
  /** KiB of data that each process may hold; what is started may raise the limit for itself. */
  readonly kibibytes?: number;
  /** The file by which a process enters its control group. Absolute. */
  readonly entrance?: string | undefined;
}

/** The command under limits, where the system has such limits. */
export function limitedCommand(command: readonly string[], { kibibytes, entrance }: ProcessLimits): string[] {
  if (process.platform !== "linux") return [...command];
  const memory = kibibytes === undefined ? "" : `ulimit -S -d ${kibibytes} 2>/dev/null; `;
  const enter = entrance === undefined ? "" : 'echo $$ > "$0"; ';
  return ["/bin/sh", "-c", `${enter}ulimit -c 0; ${memory}exec "$@"`, entrance ?? "sh", ...command];
}
