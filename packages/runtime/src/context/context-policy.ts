/** What of a conversation is sent to a model. */
export interface ContextPolicy {
  /** Only so many of the last messages, from a message of the user on. */
  readonly messages?: number;
  /** The part of the window, from 0 to 1, beyond which older messages are replaced by a summary; absent: never. */
  readonly compactAt?: number;
  /** Tokens that the model's window holds, where that is known. */
  readonly window?: number;
}

/** The tokens that a request may have before older messages are summarised; absent where nothing says. */
export function compactionLimit({ compactAt, window }: ContextPolicy): number | undefined {
  return compactAt === undefined || window === undefined ? undefined : Math.floor(compactAt * window);
}
