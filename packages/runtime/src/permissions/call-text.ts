import { pathWithin } from "../files/real-place.ts";
import type { ApprovalRequest, ToolTouch } from "../types/permission.ts";
import { escaped } from "./patterns.ts";

/**
 * The pattern that allows a call and no call with another access. If the access is unknown, it allows all calls of the
 * tool.
 */
export function patternOf(tool: string, touch: ToolTouch, agentDir: string): string {
  switch (touch.kind) {
    case "read":
    case "write":
      return `${escaped(tool)}(${escaped(pathPatternOf(touch.path, agentDir))})`;
    case "command":
      return `${escaped(tool)}(${escaped(touch.command)})`;
    case "call":
      return escaped(tool);
  }
}

function pathPatternOf(path: string, agentDir: string): string {
  const relative = pathWithin(agentDir, path);
  return relative === undefined || relative === "" || relative.startsWith("~") ? path : relative;
}

/** Characters; a longer pattern is replaced by the name of its tool. */
const SHORT = 200;

/** What the model receives for a call that nobody could be asked about. */
export function headlessText({ reason, toolName, pattern }: ApprovalRequest): string {
  // A terminal or a log line would not show other patterns as they are.
  const isShown = pattern.length <= SHORT && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(pattern);
  const flag = `--allow ${quoted(isShown ? pattern : escaped(toolName))}`;
  return `not run: ${reason}, and nobody can be asked; allow it with ${flag}`;
}

/** A text as one word of a shell. */
const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What the model receives for a call that a rule refuses, or that could not be decided. */
export const deniedText = (reason: string): string => `not run: ${reason}`;

/** What the model receives for a call that the user refused. */
export const refusedText = (words: string | undefined): string =>
  words === undefined || words.trim() === ""
    ? "not run: the user refused it"
    : `not run: the user refused it: ${words.trim()}`;

/** What the model receives for a call whose prompt was stopped while the user was asked. */
export const ABORTED = "not run: the prompt was stopped before the user answered, and it was not started";
