/** A module awaits a prompt within a tool call or a hook: the running prompt would wait for itself forever. */
export class ReentrantPromptError extends Error {
  override readonly name = "ReentrantPromptError";

  constructor() {
    super(
      "ctx.prompt() cannot be awaited within a tool call or a hook: the prompt would wait for itself; call it after the tool or hook has returned",
    );
  }
}
