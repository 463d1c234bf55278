import type { UsageLine } from "../../packages/sessions/src/usage/usage-line.ts";

/** A line of a usage log with 10 tokens and half a dollar, unless the changes say otherwise. */
export const usageLine = (changes: Partial<UsageLine> = {}): UsageLine => ({
  at: "2026-11-21T12:00:00.000Z",
  session: "main",
  prompt: 1,
  model: "anthropic/claude",
  input: 5,
  output: 3,
  cacheRead: 1,
  cacheWrite: 1,
  thinking: 2,
  usd: 0.5,
  latency: 100,
  total: 10,
  ...changes,
});
