/** An interactive session was asked for where input or output is not a terminal. */
export class NotATerminalError extends Error {
  override readonly name = "NotATerminalError";

  constructor() {
    super("An interactive session needs a terminal; give the prompt with --prompt TEXT");
  }
}
