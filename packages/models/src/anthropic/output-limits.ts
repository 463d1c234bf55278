/** The most tokens that a family of models may answer with, by the start of its name; the first that fits counts. */
const familyLimits = [
  ["claude-2", 4096],
  ["claude-instant", 4096],
  ["claude-3-5-", 8192],
  ["claude-3-7-", 64_000],
  ["claude-3-", 4096],
  ["claude-opus-4-0", 32_000],
  ["claude-opus-4-1", 32_000],
  ["claude-opus-4-2025", 32_000],
  ["claude-opus-4-5", 64_000],
  ["claude-opus-", 128_000],
  ["claude-sonnet-4-6", 128_000],
  ["claude-sonnet-4-", 64_000],
  ["claude-sonnet-", 128_000],
  ["claude-fable-", 128_000],
] as const;

/** What every model accepts that is not named above, the small ones of today included. */
const currentLimit = 64_000;

/** The `max_tokens` to send where the user set none, since Anthropic demands one: the most that the model can give. */
export function outputLimit(model: string): number {
  return familyLimits.find(([start]) => model.startsWith(start))?.[1] ?? currentLimit;
}
