export { createInteractiveSession, type InteractiveSession, type SessionOptions } from "./interactive-session.ts";
export { NotATerminalError } from "./not-a-terminal-error.ts";
