/** A module asked for a prompt from within a tool call of a running one, which would wait for itself for ever. */
export class ReentrantPromptError extends Error {
  override readonly name = "ReentrantPromptError";

  constructor() {
    super(
      "ctx.prompt() cannot be awaited within a tool call: the prompt would wait for itself; call it after the tool has returned",
    );
  }
}
