import { existsSync } from "node:fs";
import { GREETING_AGENT, writeFiles, writeText } from "./agent-files.ts";
import { type Reply, scriptReference } from "./replies.ts";
import { cliCommand, cliEnvironment } from "./run-cli.ts";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";
import { openTmux, type TmuxTerminal } from "./tmux.ts";

export interface InteractiveOptions {
  /** What the model answers; without it the model is found as for a user. */
  readonly replies?: readonly Reply[];
  /** Files of the agent directory beside an agent.mdx with a tool. */
  readonly files?: Readonly<Record<string, string>>;
  /** An agent directory that is there already, instead of a new one. Absolute. */
  readonly directory?: string;
  /** The user's home folder, such as that of another run; a new one if absent. Absolute. */
  readonly home?: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
  /** The user's settings file; without one there is no status bar, so that the input is the last line. */
  readonly settings?: string;
  /** A shell command line around the program, which stands for `"$@"`. */
  readonly shell?: string;
}

/** `mdx-ai agent DIR` in a real terminal, ready for input. */
export interface InteractiveRun extends AsyncDisposable {
  readonly terminal: TmuxTerminal;
  /** The agent directory. */
  readonly directory: string;
  /** The user's home folder. */
  readonly home: string;
}

/** Starts an interactive session and waits until it takes input. */
export async function openInteractive(options: InteractiveOptions = {}): Promise<InteractiveRun> {
  const folder = temporaryDirectory();
  const files = { "agent.mdx": GREETING_AGENT, ...options.files };
  const directory = options.directory ?? writeFiles(`${folder.path}/agent`, files);
  const model = options.replies === undefined ? [] : ["--model", scriptReference(folder.path, options.replies)];
  const program = cliCommand(["agent", directory, "--trust", ...model, ...(options.args ?? [])]);
  const { columns = 80, rows = 24, home = folder.path } = options;
  const settings = `${home}/.config/mdx-ai/settings.yaml`;
  if (options.settings !== undefined || !existsSync(settings))
    writeText(settings, options.settings ?? "statusbar: off\n");
  const terminal = await openTmux({
    command: options.shell === undefined ? program : ["sh", "-c", options.shell, "sh", ...program],
    cwd: folder.path,
    environment: definedOf(cliEnvironment({ home, environment: { TERM: undefined, ...options.environment } })),
    columns,
    rows,
  });
  const run = runOf({ terminal, directory, home }, folder);
  try {
    await terminal.waitFor(/^> ?$/m);
    return run;
  } catch (error) {
    await run[Symbol.asyncDispose]();
    throw error;
  }
}

function runOf(run: Omit<InteractiveRun, keyof AsyncDisposable>, folder: TemporaryDirectory): InteractiveRun {
  return {
    ...run,
    async [Symbol.asyncDispose]() {
      await run.terminal[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Without the variables that are absent. */
export function definedOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return Object.fromEntries(entries);
}
