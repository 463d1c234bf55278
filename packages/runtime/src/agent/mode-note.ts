import type { Message } from "@mdx-ai/models";
import type { PermissionMode } from "@mdx-ai/parser";
import { contentText } from "../content-text.ts";

const PLAN = "(The user chose plan mode: tools can only read. Say what you would do, and change nothing.)";
const PLAN_ENDED = "(The user left plan mode: tools can change files and run commands again.)";

/**
 * What the model must learn of the mode with the next input; undefined if it knows. It is a message, not a part of the system
 * prompt, so that the beginning of each request stays the same.
 */
export function modeNote(mode: PermissionMode, messages: readonly Message[]): string | undefined {
  const last = messages.findLast((message) => noteIn(message) !== undefined);
  const isToldPlan = last !== undefined && noteIn(last) === PLAN;
  if (mode === "plan") return isToldPlan ? undefined : PLAN;
  return isToldPlan ? PLAN_ENDED : undefined;
}

/** The note in a message that the user did not write, before what modules add. */
function noteIn(message: Message): string | undefined {
  if (message.role !== "user" || message.origin === undefined) return undefined;
  const text = contentText(message.content.slice(0, 1));
  return text === PLAN || text === PLAN_ENDED ? text : undefined;
}
