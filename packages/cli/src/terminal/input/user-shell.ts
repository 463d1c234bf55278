import { errorMessage } from "@mdx-ai/base";
import { attachedBlock } from "@mdx-ai/directory/views/attached-block";
import { counted } from "@mdx-ai/directory/views/figures";
import type { Agent } from "@mdx-ai/runtime";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing, Screen } from "../screen/screen.ts";

/** An input line that is a shell command. */
export interface ShellLine {
  /** Not empty. */
  readonly command: string;
  /** Whether the model receives the command and output with the next prompt. */
  readonly isShared: boolean;
}

/** Parses `!command`, which the model sees, and `!!command`, which it does not; undefined for any other text. */
export function shellLineOf(text: string): ShellLine | undefined {
  const found = /^\s*(!!?)(?!!)\s*([\s\S]*\S)\s*$/.exec(text);
  return found === null ? undefined : { command: found[2] ?? "", isShared: found[1] === "!" };
}

export interface UserShellOptions {
  readonly agent: Pick<Agent, "shell">;
  readonly screen: Pick<Screen, "append" | "refresh">;
  readonly theme: Theme;
}

/** Last rows of a running command's output that are shown. */
const LIVE_ROWS = 8;
/** Characters of output kept for them. */
const LIVE_CHARACTERS = 8_000;
/** Last rows that stay on the screen after it has ended. */
const KEPT_ROWS = 60;

/** Shown for a command without output. */
const NO_OUTPUT = "[no output]";

/** Runs the user's `!` commands one at a time, and keeps what the model should see. */
export class UserShell {
  readonly #options: UserShellOptions;
  #running: { readonly line: ShellLine; readonly controller: AbortController } | undefined;
  #output = "";
  #notes: readonly string[] = [];

  constructor(options: UserShellOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Returns and clears the notes for the next prompt. */
  takeNotes(): readonly string[] {
    const notes = this.#notes;
    this.#notes = [];
    return notes;
  }

  /** Puts back the notes of a prompt that was not sent. */
  returnNotes(notes: readonly string[]): void {
    this.#notes = [...notes, ...this.#notes];
  }

  /** Runs a command and shows its output. Call only when none is running. Never rejects. */
  async run(line: ShellLine): Promise<void> {
    const { agent, screen } = this.#options;
    const controller = new AbortController();
    this.#running = { line, controller };
    this.#output = "";
    screen.refresh();
    const onOutput = (text: string): void => {
      this.#output = (this.#output + text).slice(-LIVE_CHARACTERS);
      screen.refresh();
    };
    const { command } = line;
    try {
      const { output, problem } = await agent.shell.run({ command, signal: controller.signal, onOutput });
      this.#end(line, output, problem);
    } catch (error) {
      this.#end(line, "", errorMessage(error));
    }
  }

  /** Stops the running command. Returns whether there was one. */
  stop(): boolean {
    this.#running?.controller.abort();
    return this.#running !== undefined;
  }

  /** The running command and the last rows of its output. */
  readonly draw: Drawing = (columns) => {
    if (this.#running === undefined) return [];
    const { theme } = this.#options;
    const rows = rowsOf(this.#output, columns);
    const stops = theme.dim(` ${theme.separator} Esc stops`);
    return [...wrapped(`${headOf(this.#running.line, theme)}${stops}`, columns), ...rows.slice(-LIVE_ROWS)];
  };

  #end(line: ShellLine, output: string, problem: string): void {
    const { screen, theme } = this.#options;
    this.#running = undefined;
    if (line.isShared) this.#notes = [...this.#notes, noteOf(line.command, output, problem)];
    screen.append((columns) => {
      const rows = rowsOf(output, columns);
      const earlier = rows.length - KEPT_ROWS;
      const more = earlier > 0 ? [theme.dim(`  ${theme.ellipsis} ${counted(earlier, "earlier line")}`)] : [];
      const end = problem === "" ? [] : wrapped(theme.failure(drawable(problem)), columns, "  ");
      const none = rows.length + end.length === 0 ? [theme.dim(`  ${NO_OUTPUT}`)] : [];
      return [...wrapped(headOf(line, theme), columns), ...more, ...rows.slice(-KEPT_ROWS), ...end, ...none, ""];
    });
    screen.refresh();
  }
}

const headOf = ({ command, isShared }: ShellLine, theme: Theme): string =>
  `${theme.accent(isShared ? "!" : "!!")} ${theme.bold(drawable(command))}`;

function rowsOf(output: string, columns: number): readonly string[] {
  // Of a line that was overwritten, such as a progress bar, keep the final state.
  const lines = output.replace(/\r\n/g, "\n").replace(/^.*\r(?=[^\n])/gm, "");
  const text = drawable(lines).replace(/\n+$/, "");
  return text === "" ? [] : wrapped(text, columns, "  ");
}

/** A user's command as a note for the model. */
function noteOf(command: string, output: string, problem: string): string {
  const said = [output.replace(/\n$/, ""), ...(problem === "" ? [] : [`[${problem}]`])].filter((part) => part !== "");
  const content = `$ ${command}\n${said.join("\n") || NO_OUTPUT}`;
  return `The user ran a command:\n${attachedBlock("user_command", "", content)}`;
}
