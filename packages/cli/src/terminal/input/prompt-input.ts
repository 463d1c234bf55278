import { stateDirectory } from "@mdx-ai/directory";
import type { Agent, ApprovalAnswer } from "@mdx-ai/runtime";
import { visibleLine } from "../../approval/approval-content.ts";
import type { Asked } from "../../approval/asked.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing, Screen } from "../screen/screen.ts";
import type { Input } from "../sent-prompts.ts";
import type { SessionOptions } from "../session-options.ts";
import { Attachments, type SentContent } from "./attachments.ts";
import { HistorySearch } from "./history-search.ts";
import { isViOn, keepVi } from "./input-state.ts";
import { PromptHistory } from "./prompt-history.ts";
import { shellLineOf } from "./shell-line.ts";
import { UserShell } from "./user-shell.ts";

export interface PromptInputOptions extends Pick<SessionOptions, "environment" | "dataDir" | "redact"> {
  readonly agent: Agent;
  /** Where tools work. Absolute. */
  readonly folder: string;
  readonly theme: Theme;
  readonly screen: Screen;
  /** Asks the user something. */
  ask(asked: Asked): Promise<ApprovalAnswer>;
  warn(message: string): void;
  /** Shows a line that goes away by itself. */
  hint(text: string): void;
}

/** What the input line can do beside editing: attachments, commands behind `!`, the history, an editor, and suspending. */
export class PromptInput {
  readonly shell: UserShell;
  readonly #options: PromptInputOptions;
  readonly #attachments: Attachments;
  readonly #history: PromptHistory;
  #search: { readonly list: HistorySearch; readonly draft: string } | undefined;
  #isVi: boolean;
  #isAway = false;

  constructor(options: PromptInputOptions) {
    const { agent, folder, environment, dataDir, theme, screen, warn } = options;
    this.#options = options;
    this.shell = new UserShell({ agent, theme, screen });
    const home = environment["HOME"];
    this.#attachments = new Attachments({
      agent,
      folder,
      home,
      warn,
      confirm: (path, reason) => this.#ask(path, reason),
    });
    const state = stateDirectory(environment);
    this.#history = new PromptHistory({ ...options, state, place: folder, isKept: dataDir !== undefined });
    this.#isVi = isViOn(state);
    if (this.#isVi) screen.useVi(true);
  }

  /** Whether another program has the terminal, such as an editor. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Offers what earlier conversations sent again. */
  loadHistory(): void {
    for (const text of this.#history.load()) this.#options.screen.remember(text);
  }

  /** Resolves when the history is on disk. */
  settled(): Promise<void> {
    return this.#history.settled();
  }

  /** What the input shows in place of a pasted text. */
  readonly pasted = (text: string): string | undefined => this.#attachments.markOf(text);

  /** A text was sent. */
  remember(text: string): void {
    this.#options.screen.remember(text);
    this.#history.add(this.#attachments.lasting(text));
  }

  /** Prepares what is sent in place of a typed text: with the files that it names, and the output of commands since the last one. */
  readonly prepare = (text: string): Input => {
    const notes = this.shell.takeNotes();
    let isReleased = false;
    return {
      text,
      content: this.#content(text, notes),
      release: () => {
        if (!isReleased) this.shell.returnNotes(notes);
        isReleased = true;
      },
    };
  };

  #content(text: string, notes: readonly string[]): SentContent | Promise<SentContent> {
    const withNotes = (content: SentContent): SentContent => ({
      ...content,
      text: [content.text, ...notes].join("\n\n"),
    });
    if (!this.#attachments.isNamedIn(text)) return withNotes({ text, images: [] });
    return this.#attachments.attach(text).then(withNotes);
  }

  /** Runs a text that is a command for the shell. Returns whether it is one; if one runs already, it stays in the input. */
  runShell(text: string): boolean {
    const line = shellLineOf(text);
    const { screen, hint } = this.#options;
    if (line === undefined) return false;
    if (this.shell.isRunning) {
      hint("A command is running; Esc stops it");
      return true;
    }
    this.remember(text);
    screen.setText("");
    void this.shell.run(line);
    return true;
  }

  /** Begins to search the history, or goes to an older text that fits. */
  search(): void {
    const { screen, theme } = this.#options;
    if (this.#search !== undefined) {
      this.move(1);
      return;
    }
    this.#search = { list: new HistorySearch(this.#history.texts, theme), draft: screen.text() };
    screen.setText("");
  }

  /** Ends the search. Returns whether there was one. */
  endSearch(isTaken: boolean): boolean {
    if (this.#search === undefined) return false;
    const { list, draft } = this.#search;
    this.#search = undefined;
    this.#options.screen.setText((isTaken ? list.selected : undefined) ?? draft);
    return true;
  }

  /** Moves through what the search found. Returns whether there is a search. */
  readonly move = (entries: number): boolean => {
    this.#search?.list.move(entries);
    if (this.#search !== undefined) this.#options.screen.refresh();
    return this.#search !== undefined;
  };

  /** The running command, and what the search found. */
  readonly draw: Drawing = (columns) => {
    const search = this.#search?.list;
    search?.look(this.#options.screen.text());
    return [...this.shell.draw(columns), ...(search?.draw(columns) ?? [])];
  };

  /** Opens the text in the user's editor. Never rejects. */
  async edit(): Promise<void> {
    const { environment, screen, hint } = this.#options;
    if (this.#isAway) return;
    const { editorOf, editText } = await import("./external-editor.ts");
    const editor = editorOf(environment);
    if (editor === undefined) {
      hint("Set VISUAL or EDITOR to the editor that Ctrl+G opens");
      return;
    }
    this.#isAway = true;
    const resume = screen.pause();
    try {
      const text = await editText(screen.text(), editor);
      screen.setText(text);
    } catch (error) {
      hint(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isAway = false;
      resume();
    }
  }

  /** Stops this process as a shell's Ctrl+Z does; the terminal is taken again when it continues. */
  suspend(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const resume = this.#options.screen.pause();
    process.once("SIGCONT", () => {
      this.#isAway = false;
      resume();
    });
    // With all of its group, such as the program that started it.
    process.kill(0, "SIGTSTP");
  }

  /** Switches vi keys on or off, and keeps that. Returns what to say. */
  toggleVi(): string {
    this.#isVi = !this.#isVi;
    this.#options.screen.useVi(this.#isVi);
    keepVi(stateDirectory(this.#options.environment), this.#isVi);
    return this.#isVi ? "Vi keys are on: Esc for normal mode, i to insert." : "Vi keys are off.";
  }

  async #ask(path: string, reason: string): Promise<boolean> {
    const content = { title: `Attach ${visibleLine(path)}?`, lines: [], rest: [], reason: visibleLine(reason) };
    const { answer } = await this.#options.ask({ content, keys: KEYS, isBackground: false });
    return answer !== "no";
  }
}

const KEYS: Asked["keys"] = [
  { key: "y", meaning: "yes, send it", answer: "once" },
  { key: "n", meaning: "no, send the prompt without it", answer: "no" },
];
