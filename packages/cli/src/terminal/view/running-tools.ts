import { contentText, plainLine } from "@mdx-ai/directory/text";
import type { JsonObject } from "@mdx-ai/models";
import { shortened } from "@mdx-ai/parser/visible-text";
import type { ToolResult } from "@mdx-ai/runtime";
import { drawable, wrapped } from "../../output/columns.ts";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";

const livePartialLines = 5;

/** A running tool call, with its partial result. */
interface RunningTool {
  readonly name: string;
  readonly args: JsonObject;
  readonly partial?: ToolResult;
}

/** The tool calls of a prompt that have not ended, in the order in which they began. */
export class RunningTools {
  readonly #theme: Theme;
  readonly #tools = new Map<string, RunningTool>();

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** The activity of the first one; absent while none runs. */
  get activity(): string | undefined {
    const [first] = this.#tools.values();
    return first === undefined ? undefined : runningText(first.name);
  }

  /** Adds a call, or updates a known one. */
  set(id: string, tool: RunningTool): void {
    this.#tools.set(id, tool);
  }

  has(id: string): boolean {
    return this.#tools.has(id);
  }

  /** Ends a call; returns its arguments. */
  end(id: string): JsonObject {
    const args = this.#tools.get(id)?.args ?? {};
    this.#tools.delete(id);
    return args;
  }

  clear(): void {
    this.#tools.clear();
  }

  draw(columns: number): readonly string[] {
    return [...this.#tools.values()].flatMap((tool) => this.#drawTool(tool, columns));
  }

  #drawTool({ name, args, partial }: RunningTool, columns: number): readonly string[] {
    const mark = this.#theme.dim(this.#theme.bullet);
    const call = wrapped(`${mark} ${toolCallText(name, args, this.#theme)}`, columns);
    const result = partial === undefined ? [] : renderToolResult(partial, false, this.#theme)(columns);
    return [...call, ...result.slice(-livePartialLines)];
  }
}

/** A tool's name as the current activity. */
export const runningText = (name: string): string => `running ${plainLine(name)}`;

const shownLines = 10;
const shownLineLength = 400;
const shownArguments = 160;

/** A tool call as one short text: `name {"key":"value"}`. */
export function toolCallText(name: string, args: JsonObject, theme: Theme): string {
  const text = drawable(JSON.stringify(args));
  return `${theme.bold(plainLine(name))} ${theme.dim(shortened(text, shownArguments, theme.ellipsis))}`;
}

/** The first lines of a tool's result, and how many more there are. */
export function renderToolResult(
  result: ToolResult,
  isError: boolean,
  theme: Theme,
): (columns: number) => readonly string[] {
  const lines = drawable(contentText(result.content)).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, shownLines).map((line) => shortened(line, shownLineLength, theme.ellipsis));
  const paint = isError ? theme.failure : theme.dim;
  const more = lines.length - shown.length;
  const note = more > 0 ? [`${theme.ellipsis} ${counted(more, "more line")}`] : [];
  return (columns) => [...shown, ...note].flatMap((line) => wrapped(paint(line), columns, "  "));
}
