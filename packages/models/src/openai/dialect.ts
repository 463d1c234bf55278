import type { ThinkingFields, ThinkingWish } from "./thinking-fields.ts";

/** In what a vendor's chat completions differ from those of others. */
export interface Dialect {
  /** What the most tokens of an answer are called. */
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  /** Whether it must be asked to count tokens while it streams; who counts unasked may refuse to be. */
  readonly countsWhenAsked: boolean;
  /** Which ids of calls are accepted: within 40 characters of `[a-zA-Z0-9_-]`, or just 9 of `[a-zA-Z0-9]`. */
  readonly callIds: "long" | "nine";
  /** Where the images of a tool's result go: with the result, or in a message of the user after all results. */
  readonly resultImages: "inside" | "after";
  /** Whether the user may speak straight after a tool's result; else the model must have spoken in between. */
  readonly userAfterResult: boolean;
  /** The field in which thinking goes back, where it must. */
  readonly thinkingBack?: "reasoning_content" | "reasoning_details";
  /** Whether calls go back with the signature that came with them. */
  readonly signsCalls: boolean;
  /** Says in the vendor's words how a model is to think; empty where there is no word for it. */
  thinking(wish: ThinkingWish): ThinkingFields;
  /** Whether a model can be told a temperature. */
  takesTemperature(model: string, fields: ThinkingFields): boolean;
}
