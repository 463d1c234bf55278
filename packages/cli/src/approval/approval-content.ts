import type { JsonObject } from "@mdx-ai/models";
import type { ApprovalRequest, SandboxAccess } from "@mdx-ai/runtime";
import { type DifferenceMark, fileDifference } from "./file-difference.ts";
import { visibleLine } from "./visible-line.ts";

/** A line of what a call would do; in it everything can be seen that is there. */
export interface ContentLine {
  /** Of a difference; absent elsewhere. */
  readonly mark?: DifferenceMark;
  readonly text: string;
}

/** What a user must know to decide about a call, or about code that has changed. All texts may be foreign, and are one line that a terminal may show. */
export interface ApprovalContent {
  readonly title: string;
  /** What will run. */
  readonly lines: readonly ContentLine[];
  /** The lines of a long difference that are only shown on demand; may be empty. */
  readonly rest: readonly ContentLine[];
  /** Why it is asked. */
  readonly reason: string;
  /** What "always" would allow; absent where the answers are about this alone. */
  readonly pattern?: string;
}

/** Lines of a difference that are shown at once. What is run is always shown whole. */
const SHOWN_LINES = 200;

/** Looks up what a user is asked about. Never rejects: what cannot be compared is shown as it is. */
export async function approvalContent(request: ApprovalRequest): Promise<ApprovalContent> {
  const { title, lines, isRun } = await shownCall(request);
  const shown = isRun ? lines.length : SHOWN_LINES;
  return {
    title: `${visibleLine(request.toolName)} ${title}`,
    lines: lines.slice(0, shown),
    rest: lines.slice(shown),
    reason: visibleLine(request.reason),
    pattern: visibleLine(request.pattern),
  };
}

/** Why it is asked, and what more than one answer allows: a line each, below what will run. */
export function questionNotes({ reason, pattern }: ApprovalContent): readonly string[] {
  if (pattern === undefined) return [`Why: ${reason}`];
  // Such a pattern is this very command, which is shown above.
  const shown = pattern.length > LONGEST_PATTERN ? "this very call alone" : pattern;
  return [`Why: ${reason}`, `"This session" and "always" allow ${shown}`];
}

const LONGEST_PATTERN = 500;

interface ShownCall {
  readonly title: string;
  readonly lines: readonly ContentLine[];
  /** Whether the lines are what runs, so that none may be passed over. */
  readonly isRun: boolean;
}

async function shownCall({ toolName, args, touch }: ApprovalRequest): Promise<ShownCall> {
  switch (touch.kind) {
    case "command":
      return { title: "wants to run this command", lines: commandLines(touch.command, args), isRun: true };
    case "write": {
      const { content } = args;
      const isWriter = toolName === "write_file" && typeof content === "string";
      if (!isWriter) return namedFile("wants to write this file", touch.path, args);
      const { isNew, lines } = await fileDifference(touch.path, content);
      const title = isNew ? "wants to make this file" : "wants to change this file";
      return { title, lines: [pathLine(touch.path), ...lines.map(shownLine)], isRun: false };
    }
    case "read": {
      const { path, ...others } = args;
      return namedFile("wants to read this file", touch.path, path === touch.path ? others : args);
    }
    case "sandbox":
      return openedCall(touch.access, args);
    case "call":
      return { title: "wants to be called with", lines: jsonLines(args), isRun: true };
  }
}

/** A command that the sandbox held back, and what is to be opened for it. */
function openedCall(access: SandboxAccess, args: JsonObject): ShownCall {
  const title = "wants to run this command again, with the sandbox opened";
  const lines = commandLines(String(args["command"]), args);
  switch (access.kind) {
    case "host":
      return { title, lines: [...lines, { text: `and reach ${visibleLine(access.host)}` }], isRun: true };
    case "write":
      return { title, lines: [...lines, { text: `and write ${visibleLine(access.path)}` }], isRun: true };
    case "outside":
      return { title: "wants to run this command again, without a sandbox", lines, isRun: true };
  }
}

function commandLines(command: string, args: JsonObject): readonly ContentLine[] {
  const { command: given, ...others } = args;
  return [...linesOf(command), ...jsonLines(given === command ? others : args, "with")];
}

const namedFile = (title: string, path: string, args: JsonObject): ShownCall => ({
  title,
  lines: [pathLine(path), ...jsonLines(args, "as")],
  isRun: true,
});

const pathLine = (path: string): ContentLine => ({ text: visibleLine(path) });

const shownLine = ({ mark, text }: ContentLine): ContentLine => ({
  ...(mark !== undefined && { mark }),
  text: visibleLine(text),
});

const linesOf = (text: string): readonly ContentLine[] => text.split("\n").map((line) => ({ text: visibleLine(line) }));

/** Nothing for an empty object below something else. */
function jsonLines(args: JsonObject, word?: string): readonly ContentLine[] {
  if (word !== undefined && Object.keys(args).length === 0) return [];
  const lines = linesOf(JSON.stringify(args, undefined, 2));
  return word === undefined ? lines : [{ text: `${word}:` }, ...lines];
}
