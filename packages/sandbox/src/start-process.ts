import { existsSync } from "node:fs";
import { attempt } from "@mdx-ai/base";
import type { ProcessStart, StartedProcess } from "./command-sandbox.ts";
import { limitLine, userProcessBound } from "./process-limits.ts";
import { shellScript } from "./shell-script.ts";
import type { WaitingShell } from "./warm-sandbox.ts";

/** The descriptor of the channel in the process. */
export const CHANNEL = 3;

/** The descriptor at which a process without a channel reports itself. */
const REPORT = 3;

const SHELL = "/bin/sh";

/**
 * Starts a process without a sandbox. Where there is no shell, as in a container that has nothing but one executable, its memory is not limited.
 * Throws the system's error.
 */
export function startBare({
  command,
  cwd,
  environment,
  kibibytes,
  hasChannel,
  separatesErrors,
  input,
  reports,
}: ProcessStart): StartedProcess {
  const limits = process.platform === "linux" ? `${limitLine({ kibibytes })}; ` : "";
  const report = reports === undefined ? "" : `echo "+ $$" >&${REPORT} && exec ${REPORT}>&- || exit; `;
  const script = `${report}${limits}exec "$@"${hasChannel || separatesErrors ? "" : " 2>&1"}`;
  const starter = existsSync(SHELL) ? [SHELL, "-c", script, "sh"] : [];
  const started = Bun.spawn([...starter, ...command], {
    cwd,
    env: { ...environment },
    stdio: [
      input === undefined ? "ignore" : new Blob([input]),
      "pipe",
      "pipe",
      ...(hasChannel ? (["socket-fd"] as const) : []),
      ...(reports === undefined ? [] : [reports]),
    ],
    // Keeps the terminal's Ctrl+C from it.
    detached: true,
  });
  started.unref();
  return startedProcess(started, hasChannel);
}

/** The longest argument that the kernel accepts, in bytes with its end. */
const MAX_WORD = 131_072;

/** The system did not start the command. `code` is the system's error code. */
class UnstartableError extends Error {
  override readonly name = "UnstartableError";
  readonly code: "E2BIG" | "EINVAL";

  constructor(code: "E2BIG" | "EINVAL") {
    super(code);
    this.code = code;
  }
}

/** Makes a shell that waits in a sandbox the process. Rejects with `UnstartableError`, or the error of the shell. */
export async function startInShell(waiting: () => Promise<WaitingShell>, start: ProcessStart): Promise<StartedProcess> {
  for (const word of start.command) {
    if (word.includes("\0")) throw new UnstartableError("EINVAL");
    if (Buffer.byteLength(word) >= MAX_WORD) throw new UnstartableError("E2BIG");
  }
  const shell = await waiting();
  const { kibibytes, hasChannel, separatesErrors } = start;
  const streams = hasChannel || separatesErrors ? "separate" : "merged";
  const limits = limitLine({ kibibytes, processes: userProcessBound() });
  // A shell that has already ended, as when its sandbox closes, is noticed by its exit code.
  attempt(() => void Promise.resolve(shell.stdin.write(shellScript({ ...start, limits, streams }))).catch(() => {}));
  attempt(() => void Promise.resolve(shell.stdin.end()).catch(() => {}));
  return startedProcess(shell, hasChannel);
}

type Spawned = Bun.Subprocess<"ignore" | "pipe" | Blob, "pipe", "pipe">;

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
