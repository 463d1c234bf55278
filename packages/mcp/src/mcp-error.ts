/** A connection or a call failed. The message is a reason on one line, of visible text; it may quote the server. */
export class McpError extends Error {
  override readonly name = "McpError";
}
