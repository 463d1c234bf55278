/** A connection or a call failed. The message is the reason, on one line of visible text; it may quote the server. */
export class McpError extends Error {
  override readonly name = "McpError";
}

/** A required sign-in failed. It is not retried automatically, because the user was asked. */
export class SignInError extends McpError {}
