import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliResult, cliCommand, cliEnvironment } from "./run-cli.ts";
import { TerminalRun } from "./terminal-run.ts";

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

/** What a reader's shell has beside its folder. */
interface ShellOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the next lines have the folder and the exported variables that these ended with. */
  readonly keepsState?: boolean;
}

/** Runs lines of a page in a shell, in the folder `home`. The first that fails ends them. */
export async function runLines(lines: string, home: string, options: ShellOptions = {}): Promise<CliResult> {
  const child = Bun.spawn(shellCommand(lines, home, options), {
    cwd: home,
    env: { ...userEnvironment(home), ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

/** The same on a terminal: where that shows one text, the other is typed, with Enter; or "Ctrl+C" is pressed. */
export async function typeLines(
  lines: string,
  typed: readonly (readonly [shown: string, typed: string])[],
  { home, ...options }: ShellOptions & { readonly home: string },
): Promise<CliResult> {
  await using terminal = terminalOf(lines, home, options);
  for (const [shown, text] of typed) {
    await terminal.shows(shown);
    if (text === "Ctrl+C") {
      terminal.write("\u0003");
      continue;
    }
    terminal.write(text);
    // Apart from the text, it is not taken for a part of what was pasted.
    await Bun.sleep(50);
    terminal.write("\r");
  }
  const exitCode = await terminal.exited;
  return { exitCode, stdout: Bun.stripANSI(terminal.output), stderr: "" };
}

/** Runs lines on a terminal, until it is disposed of. */
export function terminalOf(lines: string, home: string, options: ShellOptions = {}): TerminalRun {
  const environment = { ...userEnvironment(home), ...options.environment };
  return new TerminalRun([], { home, environment, command: shellCommand(lines, home, options) });
}

/** The folder and the variables of the lines before are read first, and written at the end. */
function shellCommand(lines: string, home: string, { environment = {}, keepsState = false }: ShellOptions): string[] {
  if (!keepsState) return ["sh", "-ec", lines];
  const state = join(home, ".programs/state");
  const given = Object.keys(environment).map((name) => `${name}='${environment[name]}'; export ${name}`);
  const script = [
    `[ ! -e '${state}' ] || . '${state}'`,
    ...given,
    `trap '{ export -p; echo "cd \\"$PWD\\""; } > "${state}"' EXIT`,
    lines,
  ];
  return ["sh", "-ec", script.join("\n")];
}
