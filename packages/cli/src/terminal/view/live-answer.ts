import { plainLine } from "@mdx-ai/directory/text";
import type { AssistantMessageEvent } from "@mdx-ai/runtime";
import { counted } from "../../output/figures.ts";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Screen } from "../screen/screen.ts";
import { hasFence, MarkdownStream } from "./markdown-stream.ts";
import { CodeHighlighter, renderMarkdown } from "./render-markdown.ts";

/** Lines of Markdown that are drawn while they arrive, by rows of the terminal: several lines may become one row. */
const linesPerRow = 2;
const liveThoughtLines = 3;
const liveThoughtLength = 4000;

/** The answer that arrives: its finished part is appended to the screen, the rest is drawn. */
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

  /** Takes what has arrived; returns the current activity in a few words if it has changed. */
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

  /** The answer broke off. */
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
