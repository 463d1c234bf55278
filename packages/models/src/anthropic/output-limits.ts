/** The most tokens that a family of models may answer with, by the start of its name; the first that fits counts. */
const familyLimits = [
  ["claude-3-5-", 8192],
  ["claude-3-7-", 32_000],
  ["claude-3-", 4096],
  ["claude-2", 4096],
  ["claude-instant", 4096],
] as const;

/** What every model since Claude 4 accepts, and enough for any turn. */
const currentLimit = 32_000;

/** The `max_tokens` to send where the user set none: Anthropic demands one. */
export function defaultOutputLimit(model: string): number {
  return familyLimits.find(([start]) => model.startsWith(start))?.[1] ?? currentLimit;
}
