import type { AssistantMessage } from "../types/message.ts";

/** Whether an answer broke off: then its thinking and its calls may be half, and only its text goes back. */
export const brokeOff = ({ stopReason }: AssistantMessage): boolean =>
  stopReason === "error" || stopReason === "aborted";
