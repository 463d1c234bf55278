/** An interactive session was asked for where input or output is not a terminal. */
export class NotATerminalError extends Error {
  override readonly name = "NotATerminalError";

  constructor() {
    super("a conversation needs a terminal that can move its cursor; give one prompt with --prompt TEXT");
  }
}
