import type { JsonValue } from "@mdx-ai/models";

/** The ESM, an expression or a component of agent.mdx failed; the message names the place where one is known. */
export class RenderError extends Error {
  override readonly name = "RenderError";
  /** `{stack}` where there is one. */
  readonly details: JsonValue | undefined;

  constructor(message: string, details?: JsonValue) {
    super(message);
    this.details = details;
  }
}
