import type { JsonObject } from "@mdx-ai/models";
import type { ToolResult } from "@mdx-ai/runtime";
import { counted } from "../../counted.ts";
import { contentText } from "../../output/content-text.ts";
import { plainLine } from "../../plain-text.ts";
import type { Theme } from "../theme.ts";
import { drawable, wrapped } from "./wrapped.ts";

const shownLines = 10;
const shownLineLength = 400;
const shownArguments = 160;

/** A tool call as one short text: `name {"key":"value"}`. */
export function toolCallText(name: string, args: JsonObject, theme: Theme): string {
  const text = drawable(JSON.stringify(args));
  return `${theme.bold(plainLine(name))} ${theme.dim(cut(text, shownArguments, theme))}`;
}

/** The first lines of a tool's result, and how many more there are. */
export function renderToolResult(
  result: ToolResult,
  isError: boolean,
  theme: Theme,
): (columns: number) => readonly string[] {
  const lines = drawable(contentText(result.content)).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, shownLines).map((line) => cut(line, shownLineLength, theme));
  const paint = isError ? theme.failure : theme.dim;
  const more = lines.length - shown.length;
  const told = more > 0 ? [`${theme.ellipsis} ${counted(more, "more line")}`] : [];
  return (columns) => [...shown, ...told].flatMap((line) => wrapped(paint(line), columns, "  "));
}

function cut(text: string, length: number, theme: Theme): string {
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length > length ? `${characters.slice(0, length).join("")}${theme.ellipsis}` : text;
}
