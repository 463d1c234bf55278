import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliResult, cliCommand, cliEnvironment } from "./run-cli.ts";

/** Makes a folder with the commands `mdx-ai` and `npx mdx-ai`, which run the program under test; gives its path. */
function programFolder(home: string): string {
  const folder = join(home, ".programs");
  const program = cliCommand([])
    .map((word) => `'${word}'`)
    .join(" ");
  mkdirSync(folder, { recursive: true });
  for (const [name, shift] of [
    ["mdx-ai", ""],
    ["npx", "shift; "],
  ]) {
    writeFileSync(join(folder, `${name}`), `#!/bin/sh\n${shift}exec ${program} "$@"\n`);
    chmodSync(join(folder, `${name}`), 0o755);
  }
  return folder;
}

/** The variables of a user who has the program on PATH. */
export function userEnvironment(home: string): Readonly<Record<string, string>> {
  const entries = Object.entries(cliEnvironment({ home })).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(entries), PATH: `${programFolder(home)}:${process.env["PATH"]}` };
}

/** Runs lines of a page in a shell, in the folder `home`. The first that fails ends them. */
export async function runLines(lines: string, home: string): Promise<CliResult> {
  const child = Bun.spawn(["sh", "-ec", lines], {
    cwd: home,
    env: userEnvironment(home),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}
