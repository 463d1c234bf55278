import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, stateDirectory } from "@mdx-ai/base";
import { makeTemporaryFolder } from "@mdx-ai/base/disk";
import type { Drawing, Screen } from "../screen/screen.ts";
import type { SessionOptions } from "../session-options.ts";
import { ClipboardImages } from "./clipboard-image.ts";
import { HistorySearch, PromptHistory } from "./prompt-history.ts";
import { SentInput, type SentInputOptions } from "./sent-input.ts";
import { shellLineOf, type UserShell } from "./user-shell.ts";

export interface PromptInputOptions
  extends Omit<SentInputOptions, "screen" | "home">,
    Pick<SessionOptions, "environment" | "dataDir" | "redact"> {
  readonly screen: Screen;
  /** Shows a transient line. */
  hint(text: string): void;
}

/** What the input line does besides editing: attachments, `!` commands, history, external editor, and suspending. */
export class PromptInput {
  readonly #options: PromptInputOptions;
  readonly #sent: SentInput;
  readonly #history: PromptHistory;
  #search: { readonly list: HistorySearch; readonly draft: string } | undefined;
  #isVi: boolean;
  #isAway = false;
  readonly #clipboard: ClipboardImages;

  constructor(options: PromptInputOptions) {
    const { folder, environment, dataDir, screen } = options;
    this.#options = options;
    this.#clipboard = new ClipboardImages(environment);
    this.#sent = new SentInput({
      ...options,
      home: environment["HOME"],
      isPasted: (path) => this.#clipboard.has(path),
    });
    const state = stateDirectory(environment);
    this.#history = new PromptHistory({ ...options, state, place: folder, isKept: dataDir !== undefined });
    this.#isVi = isViOn(state);
    if (this.#isVi) screen.useVi(true);
  }

  get shell(): UserShell {
    return this.#sent.shell;
  }

  /** As `SentInput.prepare`. */
  get prepare(): SentInput["prepare"] {
    return this.#sent.prepare;
  }

  /** Whether another program, such as an editor, owns the terminal. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Loads the history of earlier conversations. */
  loadHistory(): void {
    for (const text of this.#history.load()) this.#options.screen.remember(text);
  }

  /** Removes pasted images, and resolves when the history is on disk. */
  close(): Promise<void> {
    this.#clipboard.close();
    return this.#history.settled();
  }

  /** Inserts the clipboard's image, as if its file was pasted. Never rejects. */
  async pasteImage(): Promise<void> {
    const taken = await this.#clipboard.take();
    if ("path" in taken) this.#options.screen.insert(taken.path);
    else this.#options.hint(taken.problem);
  }

  /** The text that the input shows for a paste. */
  readonly pasted = (text: string): string | undefined => this.#sent.attachments.markOf(text);

  /** Called when a text was sent. */
  remember(text: string): void {
    this.#options.screen.remember(text);
    this.#history.add(this.#sent.attachments.lasting(text));
  }

  /** Runs a text that is a shell command. Returns whether it is one; if another is running, the text stays in the input. */
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

  /** Starts a history search, or moves to an older match. */
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

  /** Moves through the matches. Returns whether a search is open. */
  readonly move = (entries: number): boolean => {
    this.#search?.list.move(entries);
    if (this.#search !== undefined) this.#options.screen.refresh();
    return this.#search !== undefined;
  };

  /** The running command and the search matches. */
  readonly draw: Drawing = (columns) => {
    const search = this.#search?.list;
    search?.look(this.#options.screen.text());
    return [...this.shell.draw(columns), ...(search?.draw(columns) ?? [])];
  };

  /** Opens the text in the user's editor. Never rejects. */
  async edit(): Promise<void> {
    const { environment, screen, hint } = this.#options;
    if (this.#isAway) return;
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

  /** Stops this process as Ctrl+Z does in a shell; takes the terminal back when it continues. */
  suspend(): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const resume = this.#options.screen.pause();
    const goOn = (): void => {
      clearTimeout(timer);
      process.off("SIGCONT", goOn);
      this.#isAway = false;
      resume();
    };
    process.once("SIGCONT", goOn);
    // Stop the whole process group, including the program that started it.
    process.kill(0, "SIGTSTP");
    // Without a shell that could continue it, the system does not stop it.
    const timer = setTimeout(goOn, UNSTOPPED);
  }

  /** Switches vi keys on or off and saves the choice. Returns the message to show. */
  toggleVi(): string {
    this.#isVi = !this.#isVi;
    this.#options.screen.useVi(this.#isVi);
    keepVi(stateDirectory(this.#options.environment), this.#isVi);
    return this.#isVi ? "Vi keys are on: Esc for normal mode, i to insert." : "Vi keys are off.";
  }
}

/** Milliseconds after which a process that still runs was not stopped. */
const UNSTOPPED = 200;

const fileIn = (state: string): string => join(state, "vi-keys");

/** Whether the user has switched vi keys on. `state` is the user's state folder. */
const isViOn = (state: string | undefined): boolean => state !== undefined && existsSync(fileIn(state));

/** Saves whether vi keys are on. Never throws: without a folder, the choice lasts for this conversation. */
function keepVi(state: string | undefined, isOn: boolean): void {
  if (state === undefined) return;
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    if (isOn) writeFileSync(fileIn(state), "", { mode: 0o600 });
    else rmSync(fileIn(state), { force: true });
  } catch {
    // The folder is not writable.
  }
}

/** The user's editor failed or did not start. */
class EditorError extends Error {
  override readonly name = "EditorError";
}

/** The command line of the user's editor; undefined if none is set. */
const editorOf = (environment: Environment): string | undefined =>
  environment["VISUAL"]?.trim() || environment["EDITOR"]?.trim() || undefined;

/**
 * Opens a text in the user's editor on this terminal. Resolves to the edited text. `editor` is a shell command line, as for Git. Rejects
 * with `EditorError` or file system errors.
 */
async function editText(text: string, editor: string): Promise<string> {
  const folder = makeTemporaryFolder("mdx-ai-input-");
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const child = Bun.spawn(["/bin/sh", "-c", `${editor} "$@"`, "editor", file], {
      stdio: ["inherit", "inherit", "inherit"],
    });
    const exitCode = await child.exited;
    if (exitCode !== 0) throw new EditorError(`the editor ${JSON.stringify(editor)} ended with exit code ${exitCode}`);
    // Editors add a newline at the end of a file.
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
