/** The memory agent cannot do what it was invoked for; the message says why. */
export class MemoryAgentError extends Error {
  override readonly name = "MemoryAgentError";
}

/** The model did not make the call that the protocol asks for, even after a correction. */
export class ModelCallError extends MemoryAgentError {}
