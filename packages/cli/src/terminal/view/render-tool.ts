import { contentText, plainLine, shortened } from "@mdx-ai/directory/text";
import type { JsonObject } from "@mdx-ai/models";
import type { ToolResult } from "@mdx-ai/runtime";
import { counted } from "../../output/figures.ts";
import type { Theme } from "../../output/theme.ts";
import { drawable, wrapped } from "../../output/wrapped.ts";

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
