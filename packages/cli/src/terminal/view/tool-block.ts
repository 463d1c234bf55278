import { shortened } from "@mdx-ai/base";
import { contentText } from "@mdx-ai/directory/text";
import type { CallText } from "@mdx-ai/directory/views/call-text";
import { counted, duration } from "@mdx-ai/directory/views/figures";
import type { ToolResult } from "@mdx-ai/loop";
import type { ToolOutputMode } from "@mdx-ai/parser";
import { drawable, wrapped } from "../../output/line-layout.ts";
import type { Theme } from "../../output/theme.ts";
import type { Drawing } from "../screen/screen.ts";
import type { CallResult, ResultLine } from "./call-result.ts";

/** Lines of a result and of a diff that are shown; of a command's result, so many of them are the first ones. */
const RESULT_LINES = 10;
const FIRST_LINES = 3;
const DIFF_LINES = 30;
/** Characters of a result's line that are shown. */
const LINE_LENGTH = 400;
/** Lines and characters of a command that are shown, and characters of other arguments. */
const COMMAND_LINES = 6;
const COMMAND_LENGTH = 600;
const ARGUMENTS_LENGTH = 160;
/** Milliseconds; a shorter call is shown without its time. */
const TIME_SHOWN_FROM = 2_000;
const INDENT = "  ";

/** How much of a block to show: as in a mode, or all of it. */
export type Extent = ToolOutputMode | "whole";

/** A drawing, and whether it is shortened. */
export interface ToolBlock {
  readonly drawing: Drawing;
  readonly isShortened: boolean;
}

export interface EndedBlock {
  readonly name: string;
  readonly call: CallText;
  readonly result: CallResult;
  /** Milliseconds that the call ran. */
  readonly time: number;
  /** Whether a question has shown the change, which is not shown again. */
  readonly isApproved?: boolean;
  /** Appended to the note about omitted lines. */
  readonly hint: string;
}

/** A finished call with its result. */
export function endedBlock(ended: EndedBlock, extent: Extent, theme: Theme): ToolBlock {
  const { name, call, result, time } = ended;
  const mark = (result.isError ? theme.failure : theme.accent)(theme.bullet);
  if (extent === "off") return nameBlock(`${mark} ${theme.bold(name)}`, result, theme);
  const title = callTitle(call, extent === "whole", theme);
  const notes = [result.summary, timeText(time)];
  const { rows, isShortened } = resultRows(ended, extent, theme);
  const ending = result.ending === "" ? [] : [theme.failure(result.ending)];
  return {
    isShortened: title.isShortened || isShortened,
    drawing: (columns) => [
      ...titleRows(mark, [...title.lines], notesText(notes, theme), columns),
      ...[...rows, ...ending].flatMap((row) => wrapped(row, columns, INDENT)),
      "",
    ],
  };
}

/** The name, and the number of lines returned. */
function nameBlock(title: string, { lines }: CallResult, theme: Theme): ToolBlock {
  const text = `${title} ${theme.dim(`(${counted(lines.length, "line")})`)}`;
  return { isShortened: true, drawing: (columns) => [...wrapped(text, columns), ""] };
}

export interface RunningBlock {
  readonly name: string;
  readonly call: CallText;
  /** The latest partial result. */
  readonly partial: ToolResult | undefined;
  /** Redacts a text. */
  readonly redact: (text: string) => string;
  /** Milliseconds that the call has run. */
  readonly time: number;
  /** Maximum rows of output. */
  readonly rows: number;
}

/** The rows of a running call, with the end of its output. */
export function runningRows(
  block: RunningBlock,
  mode: ToolOutputMode,
  theme: Theme,
  columns: number,
): readonly string[] {
  const { name, call, partial, time, rows, redact } = block;
  const mark = theme.dim(theme.bullet);
  const lines = mode === "off" ? [theme.bold(name)] : callTitle(call, false, theme).lines;
  const title = titleRows(mark, lines, notesText([timeText(time)], theme), columns);
  if (partial === undefined || mode === "off") return title;
  const output = drawable(redact(contentText(partial.content)))
    .replace(/\n+$/, "")
    .split("\n")
    .slice(-rows);
  const tail = output.flatMap((line) =>
    wrapped(theme.dim(shortened(line, LINE_LENGTH, theme.ellipsis)), columns, INDENT),
  );
  return [...title, ...tail.slice(-rows)];
}

interface Title {
  readonly lines: readonly string[];
  readonly isShortened: boolean;
}

function callTitle({ kind, verb, lines }: CallText, isWhole: boolean, theme: Theme): Title {
  const { bold, dim, ellipsis } = theme;
  const [only] = lines;
  if (kind === "command") return commandTitle(verb, lines, isWhole, theme);
  const text = isWhole ? only : shortened(only, ARGUMENTS_LENGTH, ellipsis);
  const subject = text === "" ? "" : ` ${kind === "other" ? dim(text) : text}`;
  return { lines: [`${bold(verb)}${subject}`], isShortened: text !== only };
}

function commandTitle(verb: string, lines: readonly string[], isWhole: boolean, theme: Theme): Title {
  const { bold, dim, ellipsis } = theme;
  const shown: string[] = [];
  let room = isWhole ? Number.POSITIVE_INFINITY : COMMAND_LENGTH;
  for (const line of isWhole ? lines : lines.slice(0, COMMAND_LINES)) {
    if (room <= 0) break;
    shown.push(line.length > room ? shortened(line, room, "") : line);
    room -= line.length;
  }
  const hidden = lines.length - shown.length;
  const cut = lines.slice(0, shown.length).join("").length - shown.join("").length;
  const rest = hidden > 0 ? counted(hidden, "more line") : counted(cut, "more character");
  const isShortened = hidden > 0 || cut > 0;
  const [first = "", ...others] = shown;
  return {
    lines: [
      `${bold(verb)} ${bold(first)}`,
      ...others.map((line) => `${INDENT}${bold(line)}`),
      ...(isShortened ? [dim(`${INDENT}${ellipsis} ${rest} of the command`)] : []),
    ],
    isShortened,
  };
}

/** The mark precedes the first row, the other rows are below the text, and the notes follow the last line. */
function titleRows(mark: string, lines: readonly string[], notes: string, columns: number): readonly string[] {
  const noted = lines.map((line, at) => (at === lines.length - 1 ? `${line}${notes}` : line));
  const [first = "", ...others] = noted.flatMap((line) => wrapped(line, columns, INDENT));
  // With too few columns there is no indent for the mark to replace.
  return first.startsWith(INDENT) ? [`${mark} ${first.slice(INDENT.length)}`, ...others] : [mark, first, ...others];
}

function notesText(notes: readonly string[], theme: Theme): string {
  const said = notes.filter((note) => note !== "");
  return said.length === 0 ? "" : ` ${theme.dim(`(${said.join(", ")})`)}`;
}

const timeText = (time: number): string =>
  time < TIME_SHOWN_FROM ? "" : duration(time < 60_000 ? Math.floor(time / 1_000) * 1_000 : time);

interface Rows {
  readonly rows: readonly string[];
  readonly isShortened: boolean;
}

/** The lines of a result that are shown, and the number of hidden lines where they are hidden. */
function resultRows({ call, result, isApproved = false, hint }: EndedBlock, extent: Extent, theme: Theme): Rows {
  const { lines, isDiff, isError } = result;
  if (extent !== "short") return { rows: lines.map((line) => paintedLine(line, isError, theme)), isShortened: false };
  // The title says how long a file is that was read, and the question has shown the change.
  if (!isError && (isDiff ? isApproved : call.kind === "read")) return { rows: [], isShortened: true };
  const most = isDiff ? DIFF_LINES : RESULT_LINES;
  const hidden = Math.max(0, lines.length - most);
  const first = isDiff ? most : isError ? 0 : call.kind === "command" ? FIRST_LINES : most;
  const paint = (line: ResultLine): string =>
    paintedLine({ ...line, text: shortened(line.text, LINE_LENGTH, theme.ellipsis) }, isError, theme);
  if (hidden === 0) return { rows: lines.map(paint), isShortened: lines.some(isLong) };
  const where = first === 0 ? "earlier line" : "more line";
  const note = theme.dim(`${theme.ellipsis} ${counted(hidden, where)}${hint}`);
  const end = lines.slice(first + hidden);
  return { rows: [...lines.slice(0, first).map(paint), note, ...end.map(paint)], isShortened: true };
}

const isLong = ({ text }: ResultLine): boolean => text.length > LINE_LENGTH;

function paintedLine({ mark, text }: ResultLine, isError: boolean, theme: Theme): string {
  switch (mark) {
    case "+":
      return theme.success(`+ ${text}`);
    case "-":
      return theme.failure(`- ${text}`);
    case "@":
      return theme.accent(text);
    case "!":
      return theme.warning(text);
    case " ":
      return theme.dim(`  ${text}`);
    default:
      return (isError ? theme.failure : theme.dim)(text);
  }
}
