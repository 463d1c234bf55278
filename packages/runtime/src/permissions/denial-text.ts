import type { ApprovalRequest } from "../types/permission.ts";
import { escaped } from "./wildcards.ts";

/** Beyond it, a text is told by its tool alone. */
const SHORT = 200;

/** What the model is told of a call that nobody could be asked about. */
export function headlessText({ reason, toolName, pattern }: ApprovalRequest): string {
  // A terminal or a line of a log would not show the others as they are.
  const isShown = pattern.length <= SHORT && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u.test(pattern);
  const flag = `--allow ${quoted(isShown ? pattern : escaped(toolName))}`;
  return `not run: ${reason}, and nobody can be asked; allow it with ${flag}`;
}

/** A text as one word of a shell. */
const quoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** What the model is told of a call that a rule refuses. */
export const deniedText = (reason: string): string => `not run: ${reason}`;

/** What the model is told of a call that the user refused. */
export const refusedText = (words: string | undefined): string =>
  words === undefined || words.trim() === ""
    ? "not run: the user refused it"
    : `not run: the user refused it: ${words.trim()}`;

/** What the model is told of a call whose prompt was stopped while the user was asked. */
export const ABORTED = "not run: the prompt was stopped before the user answered, and it was not started";
