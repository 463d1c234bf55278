import { plainLine } from "@mdx-ai/directory/text";
import type { AssistantMessageEvent } from "@mdx-ai/loop";
import { counted } from "../../output/figures.ts";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Screen } from "../screen/screen.ts";
import { CodeHighlighter, renderMarkdown } from "./render-markdown.ts";

/** The text after backticks contains none: otherwise they are code within a line. */
const fenceStart = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;

/** Whether a text may open a code block. */
const hasFence = (markdown: string): boolean => /^\s*(?:`{3}|~{3})/m.test(markdown);

/** A code block in the kept lines. */
interface Block {
  /** The opening line, with the language. */
  readonly opening: string;
  /** Index of the opening line. */
  readonly first: number;
  /** Index of the closing line; absent while the block is open. */
  readonly last?: number;
}

/**
 * Splits arriving Markdown: whole blocks outside fences, which cannot change any more, are returned once; the rest is kept. Takes linear
 * time.
 */
export class MarkdownStream {
  #lines: string[] = [];
  #line = "";
  /** The characters of the open fence. */
  #fence: string | undefined;
  /** The last code block in the kept lines. */
  #block: Block | undefined;
  #blankFound = false;

  /** Whether a code block is open. */
  get isInFence(): boolean {
    return this.#fence !== undefined;
  }

  /** Adds a piece and returns the Markdown that is now final; often empty. */
  push(delta: string): string {
    const [first = "", ...others] = delta.split("\n");
    this.#line += first;
    let finished = "";
    for (const next of others) {
      finished += this.#endLine();
      this.#line = next;
    }
    return finished;
  }

  /** Returns the rest and clears the stream. */
  end(): string {
    const rest = [...this.#lines, this.#line].join("\n");
    this.#lines = [];
    this.#line = "";
    this.#fence = undefined;
    this.#block = undefined;
    this.#blankFound = false;
    return rest;
  }

  /** The end of the kept text: at most this many lines and characters; a code block that it starts in is opened again. */
  tail(lines: number, characters = 20_000): string {
    const first = Math.max(0, this.#lines.length - lines);
    const kept = [...this.#lines.slice(first), this.#line.slice(-characters)];
    const { opening, first: start, last = first } = this.#block ?? { opening: "", first };
    return [...(start < first && first <= last ? [opening] : []), ...kept].join("\n");
  }

  #endLine(): string {
    const line = this.#line;
    const finished = this.#blankFound && /^\S/.test(line) ? this.#takeLines() : "";
    this.#lines.push(line);
    this.#trackFence(line, this.#lines.length - 1);
    this.#blankFound = this.#fence === undefined && line.trim() === "";
    return finished;
  }

  #takeLines(): string {
    const finished = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#block = undefined;
    return finished;
  }

  /** Opens or closes a code block at a line. */
  #trackFence(line: string, at: number): void {
    const mark = fenceStart.exec(line)?.[1];
    if (this.#fence === undefined) {
      if (mark !== undefined) {
        this.#fence = mark;
        this.#block = { opening: line, first: at };
      }
    } else if (mark?.startsWith(this.#fence) && line.trim() === mark) {
      this.#fence = undefined;
      if (this.#block !== undefined) this.#block = { ...this.#block, last: at };
    }
  }
}

/** Lines of the kept text that are rendered while it arrives. */
const drawnLines = 200;
const liveThoughtLines = 3;
const liveThoughtLength = 4000;

/** The arriving answer: its final part is appended to the screen, the rest is drawn. */
export class LiveAnswer {
  readonly #screen: Pick<Screen, "append" | "rows">;
  readonly #theme: Theme;
  readonly #text = new MarkdownStream();
  readonly #highlighter: CodeHighlighter;
  #textArrived = false;
  #thought = "";

  constructor({ screen, theme }: { readonly screen: Pick<Screen, "append" | "rows">; readonly theme: Theme }) {
    this.#screen = screen;
    this.#theme = theme;
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
        this.#appendMarkdown(this.#text.push(event.delta));
        if (this.#text.isInFence) void this.#highlighter.load();
        return "answering";
      case "text_end":
        this.#appendMarkdown(this.#textArrived ? "" : this.#text.push(event.content));
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
    this.#appendMarkdown(this.#text.end());
    this.#textArrived = false;
  }

  /**
   * The end of the unfinished part: at most half of the terminal's rows, because a terminal that becomes smaller moves rows into the
   * scrollback that do not fit any more.
   */
  draw(columns: number): readonly string[] {
    const tail = this.#text.tail(drawnLines);
    const text = tail.trim() === "" ? [] : this.#render(tail, columns, this.#text.isInFence);
    return [...this.#drawThought(columns), ...text.slice(-Math.ceil(this.#screen.rows() / 2))];
  }

  #drawThought(columns: number): readonly string[] {
    const end = drawable(this.#thought.slice(-liveThoughtLength));
    return end === "" ? [] : wrapped(this.#theme.dim(end), columns, "  ").slice(-liveThoughtLines);
  }

  #endThought(): void {
    const words = this.#thought.split(/\s+/).filter((word) => word !== "").length;
    this.#thought = "";
    if (words > 0) {
      const line = this.#theme.dim(`(thought, ${counted(words, "word")})`);
      this.#screen.append((columns) => [...wrapped(line, columns), ""]);
    }
  }

  #appendMarkdown(markdown: string): void {
    if (markdown.trim() === "") return;
    const ready = hasFence(markdown) ? this.#highlighter.load() : undefined;
    this.#screen.append((columns) => [...this.#render(markdown, columns, false), ""], ready);
  }

  #render(markdown: string, columns: number, isOpen: boolean): readonly string[] {
    return renderMarkdown(markdown, columns, { theme: this.#theme, highlighter: this.#highlighter, isOpen });
  }
}
