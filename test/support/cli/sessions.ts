// What tests use of the folder `sessions` of the command: a session as text.
export { passages, sessionText, wrappedSession } from "../../../packages/cli/src/sessions/session-text.ts";
