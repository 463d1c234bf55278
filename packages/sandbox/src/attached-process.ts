import { closeSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { attempt } from "@mdx-ai/base";
import type { AttachedStart } from "./command-sandbox.ts";
import type { Reserved } from "./placeholders.ts";
import { limitLine, userProcessBound } from "./process-limits.ts";
import { unnamedFile } from "./run-folder.ts";
import { SCRIPT, shellScript } from "./shell-script.ts";
import type { AttachedProcess, CommandSignal } from "./types/sandbox.ts";
import type { WarmSandbox } from "./warm-sandbox.ts";

/** Starts a command without a sandbox. Throws the system's error. */
export function attachBare({ command, cwd, environment }: AttachedStart): AttachedProcess {
  // A missing program exits with 127, as in a sandbox.
  const attached = Bun.spawn(["/bin/sh", "-c", 'exec "$@"', "sh", ...command], {
    cwd,
    env: { ...environment },
    stdio: ["inherit", "inherit", "inherit"],
    // As in a sandbox, signals reach it through `signal` alone.
    detached: true,
  });
  return attachedProcess(attached, () => attached.pid);
}

interface Entered {
  readonly sandbox: WarmSandbox;
  readonly reserved: Reserved;
  /** A folder for the temporary script of the command; only the user can access it. Absolute. */
  readonly folder: string;
}

/** Starts a command in a sandbox. Throws the system's error. */
export function attachIn({ sandbox, reserved, folder }: Entered, start: AttachedStart): AttachedProcess {
  const limits = limitLine({ kibibytes: start.kibibytes, processes: userProcessBound() });
  const script = shellScript({ ...start, limits: `exec ${SCRIPT}<&-; ${limits}`, streams: "inherited" });
  const descriptor = unnamedFile(folder, script);
  try {
    const attached = sandbox.attach(descriptor, reserved);
    return attachedProcess(attached, () => childOf(attached.pid) ?? attached.pid);
  } finally {
    closeSync(descriptor);
  }
}

/** `leader` is the process group that receives signals. */
function attachedProcess(attached: Bun.Subprocess, leader: () => number): AttachedProcess {
  const send = (group: number, name: CommandSignal): true | undefined => attempt(() => process.kill(-group, name));
  return {
    exited: attached.exited.then((exitCode) => endedBy(attached.signalCode) ?? exitCode),
    signal: (name) => {
      // A sandbox that is still starting has no process group yet.
      if (!send(leader(), name)) send(attached.pid, name);
    },
  };
}

function endedBy(signal: Bun.Subprocess["signalCode"]): number | undefined {
  if (signal === null) return undefined;
  return 128 + (typeof signal === "number" ? signal : constants.signals[signal]);
}

/**
 * The first process in the process namespace that bubblewrap made. It leads the process group of the command; bubblewrap itself
 * stays outside and forwards no signals. Undefined if there is no such process, or the system does not reveal it.
 */
function childOf(pid: number): number | undefined {
  const [child = ""] = (attempt(() => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")) ?? "").split(" ");
  return child === "" ? undefined : Number(child);
}
