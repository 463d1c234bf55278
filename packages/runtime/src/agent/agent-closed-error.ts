/** A prompt for an agent that was closed. */
export class AgentClosedError extends Error {
  override readonly name = "AgentClosedError";

  constructor() {
    super("the agent is closed");
  }
}
