import { plainLine } from "@mdx-ai/directory/text";
import type { AssistantMessageEvent } from "@mdx-ai/loop";
import { counted } from "../../output/figures.ts";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Screen } from "../screen/screen.ts";
import { CodeHighlighter, renderMarkdown } from "./render-markdown.ts";

const fenceStart = /^\s*(`{3,}|~{3,})/;

/** Whether a text may open a code block. */
const hasFence = (markdown: string): boolean => /^\s*(?:`{3}|~{3})/m.test(markdown);

interface Fence {
  readonly mark: string;
  /** The opening line, with the language. */
  readonly opening: string;
  /** Index in the kept lines. */
  readonly line: number;
}

/**
 * Splits arriving Markdown: whole blocks outside fences, which cannot change any more, are returned once; the rest is kept. Takes linear
 * time.
 */
export class MarkdownStream {
  #lines: string[] = [];
  #line = "";
  #fence: Fence | undefined;
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
    this.#blankFound = false;
    return rest;
  }

  /** The end of the kept text: at most this many lines and characters; an open fence is reopened. */
  tail(lines: number, characters = 20_000): string {
    const first = Math.max(0, this.#lines.length - lines);
    const kept = [...this.#lines.slice(first), this.#line.slice(-characters)];
    const opened = this.#fence !== undefined && this.#fence.line < first ? [this.#fence.opening] : [];
    return [...opened, ...kept].join("\n");
  }

  #endLine(): string {
    const line = this.#line;
    const finished = this.#blankFound && /^\S/.test(line) ? this.#takeLines() : "";
    this.#lines.push(line);
    this.#fence = fenceAfter(line, this.#fence, this.#lines.length - 1);
    this.#blankFound = this.#fence === undefined && line.trim() === "";
    return finished;
  }

  #takeLines(): string {
    const finished = `${this.#lines.join("\n")}\n`;
    this.#lines = [];
    return finished;
  }
}

/** The fence that is open after a line, if any. */
function fenceAfter(line: string, open: Fence | undefined, number: number): Fence | undefined {
  const mark = fenceStart.exec(line)?.[1];
  if (open === undefined) {
    return mark === undefined ? undefined : { mark, opening: line, line: number };
  }
  const closes = mark?.startsWith(open.mark) === true && line.trim() === mark;
  return closes ? undefined : open;
}

/** Markdown lines drawn per terminal row while they arrive: several may become one row. */
const linesPerRow = 2;
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

  /** The unfinished part. */
  draw(columns: number): readonly string[] {
    const tail = this.#text.tail(linesPerRow * this.#screen.rows());
    const text = tail.trim() === "" ? [] : this.#render(tail, columns, this.#text.isInFence);
    return [...this.#drawThought(columns), ...text];
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
