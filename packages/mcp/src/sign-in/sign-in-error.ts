import { McpError } from "../mcp-error.ts";

/** A sign-in was needed and did not succeed. It is not tried again by itself: the user was asked. */
export class SignInError extends McpError {}
