/** A limit that ends a prompt. */
export type LimitName =
  | "turns"
  | "tokens"
  | "usd"
  | "seconds"
  | "repeats"
  | "pauses"
  | "session.tokens"
  | "session.usd"
  | "day.tokens"
  | "day.usd"
  | "agent.tokens"
  | "agent.usd";

/** A reached limit, with its value: the configured one and what the user has added to it. */
export interface ReachedLimit {
  readonly limit: LimitName;
  readonly value: number;
}

/** The time of a step's result, in milliseconds since 1970; absent if the prompt has no deadline. */
export interface Timed {
  readonly at?: number;
}

/** Tokens and US dollars. */
export interface Spent {
  readonly tokens: number;
  readonly usd: number;
}

/** What limits count besides the results of a prompt. */
export interface SpentElsewhere extends Timed {
  /** The prompt so far with the agents that work for it; at least what its results say. */
  readonly prompt?: Spent;
  /** The day and the agent so far, this prompt included. */
  readonly day?: Spent;
  readonly agent?: Spent;
  /** What the user has added to limits. */
  readonly raised?: Raised;
  /** Whether the user has refused more to an agent that works for the prompt: no other question follows. */
  readonly isRefused?: true;
}

export type Raised = { readonly [limit in LimitName]?: number };
