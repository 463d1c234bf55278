import { attempt } from "@mdx-ai/base";
import type { ProcessStart, StartedProcess } from "./command-sandbox.ts";
import { limitLine, userProcessBound } from "./process-limits.ts";
import { shellScript } from "./shell-script.ts";
import type { WaitingShell } from "./warm-sandbox.ts";

/** The descriptor of the channel in the process. */
export const CHANNEL = 3;

/** Starts a process that is not contained. Throws the system's error. */
export function startBare({
  command,
  cwd,
  environment,
  kibibytes,
  hasChannel,
  separatesErrors,
}: ProcessStart): StartedProcess {
  const limits = process.platform === "linux" ? `${limitLine({ kibibytes })}; ` : "";
  const script = `${limits}exec "$@"${hasChannel || separatesErrors ? "" : " 2>&1"}`;
  const started = Bun.spawn(["/bin/sh", "-c", script, "sh", ...command], {
    cwd,
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe", ...(hasChannel ? (["socket-fd"] as const) : [])],
    // Out of reach of the terminal's Ctrl+C.
    detached: true,
  });
  started.unref();
  return startedProcess(started, hasChannel);
}

/** The kernel takes no longer words, in bytes with their end. */
const MAX_WORD = 131_072;

/** The system would not start the command. `code` is the system's. */
class UnstartableError extends Error {
  override readonly name = "UnstartableError";
  readonly code: "E2BIG" | "EINVAL";

  constructor(code: "E2BIG" | "EINVAL") {
    super(code);
    this.code = code;
  }
}

/** Has a shell in a sandbox become a process. Throws `UnstartableError`. */
export function startInShell(shell: WaitingShell, start: ProcessStart): StartedProcess {
  for (const word of start.command) {
    if (word.includes("\0")) throw new UnstartableError("EINVAL");
    if (Buffer.byteLength(word) >= MAX_WORD) throw new UnstartableError("E2BIG");
  }
  const { kibibytes, hasChannel, separatesErrors } = start;
  const streams = hasChannel || separatesErrors ? "separate" : "merged";
  const limits = limitLine({ kibibytes, processes: userProcessBound() });
  // A shell that ended before, as at the close of its sandbox, is noticed by its exit code.
  attempt(() => void Promise.resolve(shell.stdin.write(shellScript({ ...start, limits, streams }))).catch(() => {}));
  attempt(() => void Promise.resolve(shell.stdin.end()).catch(() => {}));
  return startedProcess(shell, hasChannel);
}

type Spawned = Bun.Subprocess<"ignore" | "pipe", "pipe", "pipe">;

/** `exitCode` and `signalCode` are known later. */
function startedProcess(spawned: Spawned, hasChannel: boolean): StartedProcess {
  const { pid, stdout, stderr, exited } = spawned;
  return {
    ...{ pid, stdout, stderr, exited },
    channel: hasChannel ? (spawned.stdio[CHANNEL] ?? -1) : -1,
    get exitCode() {
      return spawned.exitCode;
    },
    get signalCode() {
      return spawned.signalCode === null ? null : String(spawned.signalCode);
    },
  };
}
