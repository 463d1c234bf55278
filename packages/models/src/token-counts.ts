import type { Usage } from "./types/message.ts";

/** A number of tokens as a provider tells it; undefined where that is none. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The counts of an answer; what is not told may be undefined. */
export type TokenCounts = { readonly [Name in keyof Usage]?: number | undefined };

/** The counts that are told, for a message builder, which keeps what it knew of the others. */
export function toldCounts(counts: TokenCounts): Partial<Usage> {
  const { input, output, cacheRead, cacheWrite, thinking } = counts;
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(thinking !== undefined && { thinking }),
  };
}

/** All input tokens of a usage, cached ones included. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite;
