/** A module awaits a prompt within a tool call or a hook of a running one, which would wait for itself for ever. */
export class ReentrantPromptError extends Error {
  override readonly name = "ReentrantPromptError";

  constructor() {
    super(
      "ctx.prompt() cannot be awaited within a tool call or a hook: the prompt would wait for itself; call it after that has returned",
    );
  }
}
