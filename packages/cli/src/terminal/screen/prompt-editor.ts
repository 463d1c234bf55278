import { Editor, parseKey, type TUI } from "@earendil-works/pi-tui";
import { plainText } from "@mdx-ai/directory/text";
import type { Theme } from "../../output/theme.ts";
import type { InputCompletion } from "./input-completion.ts";
import { ViKeys, type ViTarget } from "./vi-keys.ts";

/** Stands for a tab while a text is edited, since the editor turns tabs into spaces. No text contains it. */
const tab = "\ufdd1";
/** Stands for the hidden frame, to distinguish it from blank input lines. */
const noBorder = "\ufdd2";
const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
/** With fewer columns the layout of a wide character never ends. */
const narrowest = 8;
const plain = (text: string): string => text;
/** Suggestions shown at once. */
const suggestionRows = 6;
const backspace = "\u007f";
const newLine = "\n";
const endOfLine = "\u0005";

export interface PromptEditorOptions {
  readonly theme: Theme;
  /** As in `ScreenOptions`. */
  readonly completion?: InputCompletion | undefined;
  readonly onPaste?: ((text: string) => string | undefined) | undefined;
}

/** The library's editor without a frame, with a prompt sign, and with texts returned exactly as typed. */
export class PromptEditor extends Editor {
  readonly #options: PromptEditorOptions;
  #vi: ViKeys | undefined;
  /** Whether the user has moved to a suggestion. */
  #hasChosen = false;

  constructor(tui: TUI, options: PromptEditorOptions) {
    const { accent, dim } = options.theme;
    const selectList = {
      selectedPrefix: accent,
      selectedText: accent,
      description: dim,
      scrollInfo: dim,
      noMatch: dim,
    };
    super(tui, { borderColor: plain, selectList }, { paddingX: 2, autocompleteMaxVisible: suggestionRows });
    this.#options = options;
    this.disableSubmit = true;
    if (options.completion) this.setAutocompleteProvider(options.completion);
  }

  /** Switches vi keys on or off. */
  useVi(isOn: boolean): void {
    this.#vi = isOn ? new ViKeys() : undefined;
  }

  /** Whether the input handles Esc. */
  get takesEscape(): boolean {
    return this.isShowingAutocomplete() || this.#vi?.mode === "insert";
  }

  /** Handles Enter: accepts the selected suggestion unless it is a guess that nobody chose, or starts a new line after a backslash. Returns whether to send the text. */
  enter(): boolean {
    if (this.isShowingAutocomplete()) return this.#isUnchosenGuess || this.#accept();
    if (!this.#beforeCursor.endsWith("\\")) return true;
    super.handleInput(backspace);
    super.handleInput(newLine);
    return false;
  }

  get #isUnchosenGuess(): boolean {
    return (this.#options.completion?.areGuesses ?? false) && !this.#hasChosen;
  }

  #accept(): boolean {
    if (!this.#dropOldSuggestions()) return true;
    const before = this.getText();
    super.handleInput("\t");
    const after = this.getText();
    return before.trimEnd() === after.trimEnd() || (this.#options.completion?.isWhole(after) ?? false);
  }

  /** Drops suggestions for a text that has changed since. Returns whether they are current. */
  #dropOldSuggestions(): boolean {
    if (this.#options.completion?.isFor(this.#beforeCursor)) return true;
    super.handleInput("\u001b");
    return false;
  }

  get #beforeCursor(): string {
    const { line, col } = this.getCursor();
    return (this.getLines()[line] ?? "").slice(0, col);
  }

  exactText(): string {
    return this.getExpandedText().replaceAll(tab, "\t");
  }

  /** Inserts a text as a paste. */
  insertPasted(text: string): void {
    this.#edit(pasteStart + text + pasteEnd);
  }

  setExactText(text: string): void {
    this.setText(text.replaceAll("\t", tab));
  }

  remember(text: string): void {
    this.addToHistory(text.replaceAll("\t", tab));
  }

  override handleInput(data: string): void {
    if (this.#takeViKey(data)) return;
    const key = parseKey(data);
    if (key === "tab" && this.isShowingAutocomplete()) this.#dropOldSuggestions();
    this.#hasChosen = (key === "up" || key === "down") && this.isShowingAutocomplete();
    const before = this.getText();
    this.#edit(data);
    // The editor leaves the cursor at the start of an earlier prompt.
    if (key === "up" && this.getText() !== before) this.#moveToEnd();
  }

  #edit(data: string): void {
    if (data.startsWith(pasteStart) && data.endsWith(pasteEnd)) {
      this.#paste(plainText(data.slice(pasteStart.length, -pasteEnd.length)).replaceAll("\t", tab));
    } else if (data.startsWith("\u001b") || data.length === 1) {
      super.handleInput(/^[\u0080-\u009f]/.test(data) ? "" : data);
    } else {
      super.handleInput(plainText(data));
    }
  }

  #moveToEnd(): void {
    for (let line = this.getCursor().line; line < this.getLines().length - 1; line++) super.handleInput("\u001b[B");
    super.handleInput(endOfLine);
  }

  /** Returns whether vi handled the key. */
  #takeViKey(data: string): boolean {
    const vi = this.#vi;
    const key = parseKey(data);
    if (vi === undefined || data.startsWith(pasteStart)) return false;
    if (vi.mode === "insert") {
      if (key !== "escape" || this.isShowingAutocomplete()) return false;
      vi.leaveInsert(this.#viTarget);
      return true;
    }
    const character = /^\P{Cc}$/u.test(data) ? data : key?.length === 1 ? key : undefined;
    if (character !== undefined) vi.type(character, this.#viTarget);
    return character !== undefined;
  }

  get #viTarget(): ViTarget {
    const lines = (): readonly string[] => this.getLines();
    const cursor = (): ViTarget["cursor"] => this.getCursor();
    return {
      get lines() {
        return lines();
      },
      get cursor() {
        return cursor();
      },
      press: (key) => super.handleInput(key),
      insert: (text) => this.insertTextAtCursor(text),
    };
  }

  override render(width: number): string[] {
    const [first, ...others] = super
      .render(Math.max(width, narrowest))
      .map(withoutDrawnCursor)
      .filter((line) => line !== noBorder);
    const marked = first === "" || first?.startsWith("  ") ? this.#mark + first.slice(2) : first;
    return marked === undefined ? [] : [marked, ...others];
  }

  get #mark(): string {
    return this.#options.theme.accent(this.#vi?.mode === "normal" ? ": " : "> ");
  }

  protected override renderTopBorder(_width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? `+${hiddenLineCount}` : noBorder;
  }

  protected override renderBottomBorder(_width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? `+${hiddenLineCount}` : noBorder;
  }

  /** Avoids the space that the editor inserts before a pasted path after a word, by pasting the first character separately. */
  #paste(text: string): void {
    const replaced = this.#options.onPaste?.(text);
    if (replaced !== undefined) {
      this.insertTextAtCursor(`${replaced} `);
      return;
    }
    const [first = ""] = text;
    const rest = /^[/~.]/.test(text) ? text.slice(first.length) : text;
    this.insertTextAtCursor(rest === text ? "" : first);
    super.handleInput(pasteStart + rest + pasteEnd);
  }
}

/** Removes the drawn cursor; the terminal's cursor is shown instead. */
function withoutDrawnCursor(line: string): string {
  return line.replaceAll("\u001b[7m", "").replaceAll("\u001b[0m", "").replaceAll(tab, " ").trimEnd();
}
