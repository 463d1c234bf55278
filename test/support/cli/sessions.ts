// What tests know of the room `sessions` of the command: a session as text.
export { passages, sessionText, wrappedSession } from "../../../packages/cli/src/sessions/session-text.ts";
