import { cliEnvironment } from "./run-cli.ts";

export interface CommandSandbox {
  /** The user's home folder. Absolute. */
  readonly home: string;
  /** What bubblewrap is to change of this machine, such as `["--ro-bind", folder, folder]`. */
  readonly changes: readonly string[];
}

/** Runs a program on this machine as bubblewrap shows it with some changes, and collects what it says. */
export async function withinBubblewrap(
  command: readonly string[],
  { home, changes }: CommandSandbox,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const child = Bun.spawn(["bwrap", "--dev-bind", "/", "/", ...changes, "--die-with-parent", "--", ...command], {
    cwd: home,
    env: cliEnvironment({ home }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}
