/** The agent was closed before the prompt, or while it ran. */
export class AgentClosedError extends Error {
  override readonly name = "AgentClosedError";

  constructor(message = "the agent is closed") {
    super(message);
  }
}
