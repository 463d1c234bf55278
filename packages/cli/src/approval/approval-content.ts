import { lstatSync } from "node:fs";
import { type JsonObject, visibleText } from "@mdx-ai/base";
import { ofAgent } from "@mdx-ai/directory/views/call-text";
import type { ApprovalAnswer, ApprovalRequest, SandboxAccess } from "@mdx-ai/loop";
import { type DifferenceMark, editDifference, type FileDifference, fileDifference } from "./file-difference.ts";

/** A line about a call, without invisible characters. */
export interface ContentLine {
  /** Only for a line of a diff. */
  readonly mark?: DifferenceMark;
  readonly text: string;
}

interface YesOrNo {
  readonly lines: readonly string[];
  readonly reason: string;
  /** The label of "no". Default: "no". */
  readonly no?: string;
}

/** A yes/no question. All texts but `yes` and `no` may be untrusted. */
export function yesOrNo(title: string, yes: string, { lines: texts, reason, no = "no" }: YesOrNo): Asked {
  const lines = texts.map((text) => ({ text: visibleLine(text) }));
  return {
    content: { title: visibleLine(title), lines, rest: [], reason: visibleLine(reason) },
    keys: [
      { key: "y", meaning: yes, answer: "once" },
      { key: "n", meaning: no, answer: "no" },
    ],
    isBackground: false,
  };
}

/** What the user needs to decide about a call or changed code. Each text is one line that is safe for a terminal. */
export interface ApprovalContent {
  readonly title: string;
  /** The lines that show what will run. */
  readonly lines: readonly ContentLine[];
  /** The rest of a long diff, shown on demand; may be empty. */
  readonly rest: readonly ContentLine[];
  /** Why the user is asked. */
  readonly reason: string;
  /** What "always" would allow; absent if the answer applies to this call only. */
  readonly pattern?: string;
  /** What "this prefix" would allow in the session; absent if not offered. */
  readonly prefix?: string;
  /** Whether "all edits" is offered. */
  readonly offersEdits?: boolean;
}

/** Lines of a diff shown at once. Commands are always shown in full. */
const SHOWN_LINES = 200;

/** Redacts a text. Call it before splitting or wrapping, which could break a key in two. */
export type Redact = (text: string) => string;

/** Collects what to show for a call. Never rejects; a file that cannot be compared is shown unchanged. */
export async function approvalContent(
  request: ApprovalRequest,
  redact: Redact = (text) => text,
): Promise<ApprovalContent> {
  const { title, lines, isRun } = await shownCall(request, redact);
  const shown = isRun ? lines.length : SHOWN_LINES;
  return {
    title: `${ofAgent(request)}${visibleLine(request.toolName)} ${title}`,
    lines: lines.slice(0, shown),
    rest: lines.slice(shown),
    reason: visibleLine(redact(request.reason)),
    pattern: visibleLine(redact(request.pattern)),
    ...(request.prefix !== undefined && { prefix: visibleLine(redact(request.prefix)) }),
    ...(request.offersEdits && { offersEdits: true }),
  };
}

/** Why the user is asked and what lasting answers allow: one line each, below what will run. */
export function questionNotes({ reason, pattern, prefix, offersEdits }: ApprovalContent): readonly string[] {
  if (pattern === undefined) return [`Why: ${reason}`];
  // A pattern this long is the whole command, which is shown above.
  const shown = pattern.length > MAX_PATTERN ? "this call alone" : pattern;
  return [
    `Why: ${reason}`,
    `"This session" and "always" allow ${shown}`,
    ...(prefix === undefined ? [] : [`"This prefix" allows ${prefix} in this session`]),
    ...(offersEdits ? [`"All edits" lets tools write in the workspace, in this session (mode edits)`] : []),
  ];
}

const MAX_PATTERN = 500;

interface ShownCall {
  readonly title: string;
  readonly lines: readonly ContentLine[];
  /** Whether the lines show what will run, so that none may be hidden. */
  readonly isRun: boolean;
}

async function shownCall(request: ApprovalRequest, redact: Redact): Promise<ShownCall> {
  const { args, access } = request;
  switch (access.kind) {
    case "command":
      return { title: "wants to run this command", lines: commandLines(access.command, args, redact), isRun: true };
    case "write": {
      const difference = await writtenDifference(request, access.path, redact);
      if (difference === undefined) return namedFile("wants to write this file", access.path, args, redact);
      const { isNew, lines } = difference;
      const title = isNew ? "wants to create this file" : "wants to change this file";
      return { title, lines: [pathLine(redact(access.path)), ...lines.map(shownLine)], isRun: false };
    }
    case "read": {
      const { path, ...others } = args;
      return namedFile("wants to read this file", access.path, isShownBy(access.path, path) ? others : args, redact);
    }
    case "sandbox":
      return openedCall(access.wanted, args, redact);
    case "host":
      return {
        title: `wants to reach ${visibleLine(redact(access.host))} with`,
        lines: jsonLines(args, redact),
        isRun: true,
      };
    case "call":
      return { title: "wants to be called with", lines: jsonLines(args, redact), isRun: true };
  }
}

/** Whether the file's path already shows the argument: they are equal, or the path ends with it. */
const isShownBy = (path: string, argument: unknown): boolean =>
  path === argument || (typeof argument === "string" && argument !== "" && path.endsWith(`/${argument}`));

/** The change that a call would make to a file; undefined if the call will fail, or for a tool that may write something else. */
async function writtenDifference(
  { label, toolOrigin, args: { content, edits } }: ApprovalRequest,
  path: string,
  redact: Redact,
): Promise<FileDifference | undefined> {
  if (toolOrigin !== "builtin") return undefined;
  if (label?.kind === "write" && typeof content === "string") return fileDifference(path, content, redact);
  return label?.kind === "edit" ? editDifference(path, (before) => textAfter(before, edits), redact) : undefined;
}

/** Undefined if the edits do not apply; the call will then fail with the reason. */
async function textAfter(before: string, edits: unknown): Promise<string | undefined> {
  const { editedFile, editsOf } = await import("@mdx-ai/tools/edits");
  try {
    return editedFile(Buffer.from(before), editsOf(edits)).bytes.toString();
  } catch {
    return undefined;
  }
}

/** The call of a command that the sandbox blocked, with what an answer would grant. */
function openedCall(access: SandboxAccess, args: JsonObject, redact: Redact): ShownCall {
  const title = "wants to run this command again, with more sandbox access";
  const lines = commandLines(String(args["command"]), args, redact);
  switch (access.kind) {
    case "host":
      return { title, lines: [...lines, { text: `and reach ${visibleLine(redact(access.host))}` }], isRun: true };
    case "write":
      return { title, lines: [...lines, { text: placeText("write", access.path, redact) }], isRun: true };
    case "read":
      return { title, lines: [...lines, { text: placeText("read", access.path, redact) }], isRun: true };
    case "outside":
      return { title: "wants to run this command again, without a sandbox", lines, isRun: true };
  }
}

function placeText(verb: "read" | "write", path: string, redact: Redact): string {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
  return `and ${verb} ${visibleLine(redact(path))}${isFolder ? " and all in it" : ""}`;
}

function commandLines(command: string, args: JsonObject, redact: Redact): readonly ContentLine[] {
  const { command: given, ...others } = args;
  return [...linesOf(redact(command)), ...jsonLines(given === command ? others : args, redact, "with")];
}

const namedFile = (title: string, path: string, args: JsonObject, redact: Redact): ShownCall => ({
  title,
  lines: [pathLine(redact(path)), ...jsonLines(args, redact, "as")],
  isRun: true,
});

const pathLine = (path: string): ContentLine => ({ text: visibleLine(path) });

const shownLine = ({ mark, text }: ContentLine): ContentLine => ({
  ...(mark !== undefined && { mark }),
  text: visibleLine(text),
});

const linesOf = (text: string): readonly ContentLine[] => text.split("\n").map((line) => ({ text: visibleLine(line) }));

/** With a `word`, the lines are headed by it, and an empty object has no lines. */
function jsonLines(args: JsonObject, redact: Redact, word?: string): readonly ContentLine[] {
  if (word !== undefined && Object.keys(args).length === 0) return [];
  const lines = linesOf(redact(JSON.stringify(args, undefined, 2)));
  return word === undefined ? lines : [{ text: `${word}:` }, ...lines];
}

/** An untrusted text for an approval, as `visibleText` shows it, with tabs as arrows. */
export const visibleLine = (text: string): string => visibleText(text.replaceAll("\t", "→   "));

/** A key that answers a question. */
export interface AnswerKey {
  /** A lower-case letter. */
  readonly key: string;
  readonly meaning: string;
  readonly answer: ApprovalAnswer["answer"];
  /** Whether the user is asked for a reason afterwards. */
  readonly asksReason?: true;
  /** The reason sent with "no", without asking for one. */
  readonly says?: string;
}

/** A question for the user. */
export interface Asked {
  readonly content: ApprovalContent;
  readonly keys: readonly AnswerKey[];
  /** Whether the prompt was not sent by the user. */
  readonly isBackground: boolean;
  /** The hint shown while the user types a reason. Default: the hint for a refused call. */
  readonly asks?: string;
}
