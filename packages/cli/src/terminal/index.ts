export { createInteractiveSession } from "./interactive-session.ts";
