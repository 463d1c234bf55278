import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { AssistantMessageEvent } from "@mdx-ai/loop";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing, Screen } from "../screen/screen.ts";
import { LiveCode } from "./live-code.ts";
import { type MarkdownPiece, MarkdownStream } from "./markdown-stream.ts";
import { CodeHighlighter, renderMarkdown } from "./render-markdown.ts";
import type { ToolOutput } from "./tool-output.ts";

/** Whether a text may open a code block. */
const hasFence = (markdown: string): boolean => /^\s*(?:`{3}|~{3})/m.test(markdown);

/** Lines of the kept text that are rendered while it arrives. */
const drawnLines = 200;
/** Rows of it that are drawn. */
const mostRows = 8;
const liveThoughtLines = 3;
const liveThoughtLength = 4000;

export interface LiveAnswerOptions {
  readonly screen: Pick<Screen, "append" | "rows">;
  readonly theme: Theme;
  /** Keeps thoughts, which are shown in one line. */
  readonly output: Pick<ToolOutput, "hint" | "mode" | "remember">;
}

/** The arriving answer: its final part is appended to the screen, the rest is drawn. */
export class LiveAnswer {
  readonly #screen: Pick<Screen, "append" | "rows">;
  readonly #theme: Theme;
  readonly #text = new MarkdownStream();
  readonly #highlighter: CodeHighlighter;
  /** The code block that is arriving. */
  #code: LiveCode | undefined;
  #textArrived = false;
  #thought = "";

  readonly #output: LiveAnswerOptions["output"];

  constructor({ screen, theme, output }: LiveAnswerOptions) {
    this.#screen = screen;
    this.#theme = theme;
    this.#output = output;
    this.#highlighter = new CodeHighlighter(theme);
  }

  /** Adds an event. Returns the activity as a few words if it has changed. */
  update(event: AssistantMessageEvent): string | undefined {
    switch (event.type) {
      case "text_start":
        this.#textArrived = false;
        return undefined;
      case "text_delta":
        this.#textArrived = true;
        this.#endThought();
        this.#appendPieces(this.#text.push(event.delta));
        if (this.#text.isInFence) void this.#highlighter.load();
        return "answering";
      case "text_end":
        if (!this.#textArrived) this.#appendPieces(this.#text.push(event.content));
        this.end();
        return undefined;
      case "thinking_start":
        return "thinking";
      case "thinking_delta":
        this.#thought += event.delta;
        return undefined;
      case "thinking_end":
        this.#thought = event.content;
        this.#endThought();
        return undefined;
      case "toolcall_start":
      case "toolcall_delta":
        return "calling a tool";
      case "toolcall_end":
        return `calling ${plainLine(event.toolCall.name)}`;
    }
  }

  /** Called when the answer broke off. */
  end(): void {
    this.#endThought();
    this.#appendPieces(this.#text.end());
    this.#textArrived = false;
  }

  /**
   * The end of the unfinished part: few rows, because a terminal that becomes smaller moves rows that do not fit any more into the
   * scrollback.
   */
  draw(columns: number): readonly string[] {
    const tail = this.#text.tail(drawnLines);
    const text = this.#code?.draw(tail, columns) ?? (tail.trim() === "" ? [] : this.#render(tail, columns));
    return [...this.#drawThought(columns), ...text.slice(-Math.min(mostRows, Math.ceil(this.#screen.rows() / 3)))];
  }

  #drawThought(columns: number): readonly string[] {
    const end = drawable(this.#thought.slice(-liveThoughtLength));
    return end === "" ? [] : wrapped(this.#theme.dim(end), columns, "  ").slice(-liveThoughtLines);
  }

  #endThought(): void {
    const thought = drawable(this.#thought).trim();
    const words = thought.split(/\s+/).filter((word) => word !== "").length;
    this.#thought = "";
    if (words === 0) return;
    const { dim } = this.#theme;
    const { hint, mode } = this.#output;
    const whole: Drawing = (columns) => [...wrapped(dim(thought), columns, "  "), ""];
    if (mode !== "full") this.#output.remember(whole);
    const line = dim(`(thought, ${counted(words, "word")})${mode === "full" ? "" : hint}`);
    this.#screen.append((columns) => [...wrapped(line, columns), ...(mode === "full" ? whole(columns) : [""])]);
  }

  #appendPieces(pieces: readonly MarkdownPiece[]): void {
    for (const piece of pieces) this.#appendPiece(piece);
  }

  #appendPiece(piece: MarkdownPiece): void {
    switch (piece.type) {
      case "blocks":
        this.#appendMarkdown(piece.text, [""]);
        return;
      case "items":
        this.#appendMarkdown(piece.text, []);
        return;
      case "code_start":
        this.#code = new LiveCode(this.#screen, this.#highlighter, piece.language);
        return;
      case "code_line":
        this.#code?.add(piece.text);
        return;
      case "code_end":
        this.#code?.end();
        this.#code = undefined;
        return;
    }
  }

  #appendMarkdown(markdown: string, after: readonly string[]): void {
    const ready = hasFence(markdown) ? this.#highlighter.load() : undefined;
    this.#screen.append((columns) => [...this.#render(markdown, columns, false), ...after], ready);
  }

  #render(markdown: string, columns: number, isOpen = this.#text.isInFence): readonly string[] {
    return renderMarkdown(markdown, columns, { theme: this.#theme, highlighter: this.#highlighter, isOpen });
  }
}
