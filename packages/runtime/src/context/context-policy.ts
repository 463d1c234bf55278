/** Which part of a conversation is sent to a model. */
export interface ContextPolicy {
  /** The most messages that are sent: the last ones, from a message of the user on. */
  readonly messages?: number;
  /** The part of the window, from 0 to 1, beyond which older messages are replaced by a summary; absent: never. */
  readonly compactAt?: number;
  /** Tokens that the model's window holds, if that is known. */
  readonly window?: number;
}

/** The tokens that a request may have before older messages are summarised; absent if there is no limit. */
export function compactionLimit({ compactAt, window }: ContextPolicy): number | undefined {
  return compactAt === undefined || window === undefined ? undefined : Math.floor(compactAt * window);
}
