import type { Environment } from "@mdx-ai/models";
import type { Containment } from "./containment.ts";

/**
 * What every sandbox asks of the system; a version of bubblewrap that knows less is none. Without `--die-with-parent`, which
 * all versions know: a bubblewrap that dies with its parent while it begins may leave a process behind that waits for ever.
 */
const NEEDED =
  "--ro-bind / / --size 65536 --tmpfs /tmp --dev /dev --proc /proc --unshare-pid --unshare-ipc --unshare-uts --unshare-net --new-session --cap-drop ALL".split(
    " ",
  );

const DEADLINE_MILLISECONDS = 10_000;

const INSTALL = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";

/** The program of bubblewrap; undefined where there is none. Costs a few looks at the file system. */
export function findBubblewrap(environment: Environment): string | undefined {
  if (process.platform !== "linux") return undefined;
  return Bun.which("bwrap", { PATH: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }) ?? undefined;
}

/** Why there can be no sandbox where `findBubblewrap` finds nothing. */
export const withoutBubblewrap = (): string =>
  process.platform === "linux" ? INSTALL : `there is no bubblewrap for this system (${process.platform})`;

/** Whether bubblewrap does its work here, found out by having it do it. Never rejects. */
export async function probeBubblewrap(program: string): Promise<Containment> {
  try {
    const child = Bun.spawn([program, ...NEEDED, "--", "/bin/sh", "-c", ":"], {
      cwd: "/",
      env: {},
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      // Out of reach of the terminal's Ctrl+C.
      detached: true,
      timeout: DEADLINE_MILLISECONDS,
      killSignal: "SIGKILL",
    });
    const [exitCode, complaint] = await Promise.all([child.exited, child.stderr.text()]);
    if (exitCode === 0) return { contained: true };
    return {
      contained: false,
      why: `bubblewrap does not work here: ${firstLine(complaint) || endText(child.signalCode, exitCode)}`,
    };
  } catch (error) {
    return { contained: false, why: `bubblewrap cannot be started: ${String(error)}` };
  }
}

const endText = (signal: string | number | null, exitCode: number): string =>
  signal === null ? `exit code ${exitCode}` : `it did not end by itself (${signal})`;

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200);
