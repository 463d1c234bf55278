import { isRecord, type JsonObject, visibleText } from "@mdx-ai/base";
import { contentText } from "@mdx-ai/directory/text";
import type { CallText } from "@mdx-ai/directory/views/call-text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ToolResult } from "@mdx-ai/loop";
import { drawable, evenWidth } from "../../output/line-layout.ts";

/** A line of a result; with `mark`, a line of a diff. "!" is a note by the program. */
export interface ResultLine {
  readonly mark?: "+" | "-" | " " | "@" | "!";
  /** Safe for a terminal. */
  readonly text: string;
}

/** The result of a call. */
export interface CallResult {
  /** A short summary such as "12 matches"; "" if there is none. */
  readonly summary: string;
  readonly lines: readonly ResultLine[];
  readonly isDiff: boolean;
  /** How a command failed, such as "exit code 1"; "" if it succeeded. */
  readonly ending: string;
  readonly isError: boolean;
}

/** A finished call. */
export interface EndedCall {
  readonly call: CallText;
  readonly args: JsonObject;
  readonly result: ToolResult;
  readonly isError: boolean;
}

interface ResultStyle {
  readonly redact: (text: string) => string;
  /** The sign for removed lines in a summary. */
  readonly minus: string;
}

/** Chooses what to show of a result. */
export function callResult(ended: EndedCall, { redact, minus }: ResultStyle): CallResult {
  const { call, result, isError } = ended;
  const diff = isError ? undefined : diffLines(ended, redact);
  if (diff !== undefined)
    return { summary: diffSummary(ended, diff, minus), lines: diff, isDiff: true, ending: "", isError };
  const { text, ending, failed } = call.kind === "command" ? commandOutput(result) : plainOutput(result);
  const shown = drawable(redact(text)).replace(/\n+$/, "");
  const lines = shown === "" && ending !== "" ? [] : shown.split("\n");
  const summary = isError ? "" : resultSummary(call, result, lines);
  return { summary, lines: lines.map((line) => ({ text: line })), isDiff: false, ending, isError: isError || failed };
}

interface Output {
  readonly text: string;
  readonly ending: string;
  readonly failed: boolean;
}

const plainOutput = ({ content }: ToolResult): Output => ({ text: contentText(content), ending: "", failed: false });

/** Removes the exit code from the output, where the model receives it. */
function commandOutput(result: ToolResult): Output {
  const { details } = result;
  const text = contentText(result.content);
  const exitCode = isRecord(details) ? details["exitCode"] : undefined;
  if (typeof exitCode !== "number") return separateOutput(text) ?? plainOutput(result);
  const ending = exitCode === 0 ? "" : `exit code ${exitCode}`;
  return { text: ending === "" ? text : withoutLine(text, `[${ending}]`), ending, failed: false };
}

/** A text without this line if it is the last one or only notices follow. */
function withoutLine(text: string, line: string): string {
  const start = text.lastIndexOf(line);
  const rest = text.slice(start + line.length);
  const isNotice = start === 0 || text[start - 1] === "\n";
  return isNotice && (rest === "" || rest.startsWith("\n[")) ? text.slice(0, start) + rest.slice(1) : text;
}

/** The streams of `shell.exec`, which returns JSON. */
function separateOutput(text: string): Output | undefined {
  const streams = parsed(text);
  if (!isRecord(streams)) return undefined;
  const { stdout, stderr, exit_code: exitCode } = streams;
  if (typeof stdout !== "string" || typeof stderr !== "string" || typeof exitCode !== "number") return undefined;
  const both = [stdout, stderr].filter((stream) => stream !== "").map((stream) => stream.replace(/\n$/, ""));
  return { text: both.join("\n"), ending: exitCode === 0 ? "" : `exit code ${exitCode}`, failed: exitCode !== 0 };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The change of a file; undefined for other calls, or if the result does not contain it. */
function diffLines(
  { call, args, result }: EndedCall,
  redact: ResultStyle["redact"],
): readonly ResultLine[] | undefined {
  if (call.kind !== "edit" && call.kind !== "write") return undefined;
  const details = isRecord(result.details) ? result.details : {};
  const { diff, created } = details;
  if (typeof diff === "string") return diff === "" ? [{ mark: "!", text: "nothing changes" }] : unified(redact(diff));
  const { content } = args;
  if (created !== true || typeof content !== "string") return undefined;
  if (content === "") return [{ mark: "!", text: "an empty file" }];
  return linesOf(redact(content)).map((line) => ({ mark: "+", text: visibleLine(line) }));
}

const unified = (diff: string): readonly ResultLine[] =>
  diff.split("\n").map((line) => {
    const [mark] = line;
    switch (mark) {
      case "+":
      case "-":
      case " ":
        return { mark, text: visibleLine(line.slice(1)) };
      case "@":
        return { mark, text: visibleLine(line) };
      default:
        return { mark: "!", text: visibleLine(line.replace(/^\\ /, "")) };
    }
  });

function diffSummary({ result }: EndedCall, lines: readonly ResultLine[], minus: string): string {
  const count = (wanted: ResultLine["mark"]): number => lines.filter(({ mark }) => mark === wanted).length;
  const isNew = isRecord(result.details) && result.details["created"] === true;
  return isNew ? `new, +${count("+")}` : `+${count("+")} ${minus}${count("-")}`;
}

function resultSummary(call: CallText, { content }: ToolResult, lines: readonly string[]): string {
  switch (call.kind) {
    case "search":
    case "list":
      return foundText(call, lines);
    case "read":
      return content.find((block) => block.type === "image")?.mimeType ?? readText(lines);
    default:
      return "";
  }
}

/** How much was read, without the tool's note at the end. */
const readText = (lines: readonly string[]): string =>
  counted(lines.length - (lines.length > 1 && /^\[.*\]$/.test(lines.at(-1) ?? "") ? 1 : 0), "line");

const NOTHING_FOUND = /^\[no (matches|files)/;

/** What a search found, counted from the tool's output. */
function foundText({ verb }: CallText, lines: readonly string[]): string {
  if (NOTHING_FOUND.test(lines[0] ?? "")) return verb === "grep" ? "no matches" : "no files";
  const more = Number(/^\[([\d]+) more /.exec(lines.at(-1) ?? "")?.[1] ?? 0);
  const numbered = lines.filter((line) => /^\d+:/.test(line)).length;
  if (verb === "grep" && numbered > 0) {
    const matches = numbered + more;
    return matches === 1 ? "1 match" : `${matches} matches`;
  }
  const listed = lines.length - (more > 0 ? 1 : 0) + more;
  return verb === "list" ? counted(listed, "item") : counted(listed, "file");
}

const linesOf = (text: string): readonly string[] => text.replace(/\r?\n$/, "").split(/\r?\n/);

const visibleLine = (line: string): string => evenWidth(visibleText(line.replaceAll("\t", "    ")));
