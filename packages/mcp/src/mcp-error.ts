/** A connection or a call failed. The message is a reason on one line, of visible text; it may quote the server. */
export class McpError extends Error {
  override readonly name = "McpError";
}

/** A sign-in was needed and did not succeed. It is not tried again by itself: the user was asked. */
export class SignInError extends McpError {}
