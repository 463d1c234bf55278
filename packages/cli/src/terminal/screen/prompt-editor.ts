import { Editor, type TUI } from "@earendil-works/pi-tui";
import { plainText } from "@mdx-ai/directory/text";

/** Replaces a tab while a text is edited, since the editor would turn tabs into spaces; no text contains it. */
const tab = "\ufdd1";
/** Replaces the frame, which is not shown, so that it does not look like a blank line of the input. */
const noBorder = "\ufdd2";
const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
/** With fewer columns the layout of a wide character never ends. */
const narrowest = 8;
const plain = (text: string): string => text;

/** The editor without frame, with a mark before its first line, that gives every text back exactly. */
export class PromptEditor extends Editor {
  readonly #mark: string;

  constructor(tui: TUI, mark: string) {
    const selectList = {
      selectedPrefix: plain,
      selectedText: plain,
      description: plain,
      scrollInfo: plain,
      noMatch: plain,
    };
    super(tui, { borderColor: plain, selectList }, { paddingX: 2 });
    this.#mark = mark;
    this.disableSubmit = true;
  }

  exactText(): string {
    return this.getExpandedText().replaceAll(tab, "\t");
  }

  setExactText(text: string): void {
    this.setText(text.replaceAll("\t", tab));
  }

  remember(text: string): void {
    this.addToHistory(text.replaceAll("\t", tab));
  }

  override handleInput(data: string): void {
    if (data.startsWith(pasteStart) && data.endsWith(pasteEnd)) {
      this.#paste(plainText(data.slice(pasteStart.length, -pasteEnd.length)).replaceAll("\t", tab));
    } else if (data.startsWith("\u001b") || data.length === 1) {
      super.handleInput(/^[\u0080-\u009f]/.test(data) ? "" : data);
    } else {
      super.handleInput(plainText(data));
    }
  }

  override render(width: number): string[] {
    const [first, ...others] = super
      .render(Math.max(width, narrowest))
      .map(withoutDrawnCursor)
      .filter((line) => line !== noBorder);
    const marked = first === "" || first?.startsWith("  ") ? this.#mark + first.slice(2) : first;
    return marked === undefined ? [] : [marked, ...others];
  }

  protected override renderTopBorder(_width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? `+${hiddenLineCount}` : noBorder;
  }

  protected override renderBottomBorder(_width: number, hiddenLineCount: number): string {
    return hiddenLineCount > 0 ? `+${hiddenLineCount}` : noBorder;
  }

  /** The editor puts a space before what looks like a path behind a word; a first character of its own avoids that. */
  #paste(text: string): void {
    const [first = ""] = text;
    const rest = /^[/~.]/.test(text) ? text.slice(first.length) : text;
    this.insertTextAtCursor(rest === text ? "" : first);
    super.handleInput(pasteStart + rest + pasteEnd);
  }
}

/** The terminal's own cursor is shown instead. */
function withoutDrawnCursor(line: string): string {
  return line.replaceAll("\u001b[7m", "").replaceAll("\u001b[0m", "").replaceAll(tab, " ").trimEnd();
}
