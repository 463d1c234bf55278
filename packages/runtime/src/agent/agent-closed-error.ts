/** A prompt for an agent that was closed, or was closed while the prompt ran. */
export class AgentClosedError extends Error {
  override readonly name = "AgentClosedError";

  constructor(message = "the agent is closed") {
    super(message);
  }
}
