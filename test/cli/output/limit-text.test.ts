import { expect, test } from "bun:test";
import { limitText, type ReachedLimit } from "../../../packages/cli/src/output/prompt-lines.ts";

test.each<readonly [ReachedLimit["limit"], number, string]>([
  ["turns", 1, "at the limit of 1 turn; allow more with --max-turns N, or limits.turns in agent.mdx"],
  ["tokens", 10_000, "at the limit of 10,000 tokens; allow more with limits.tokens in agent.mdx"],
  ["usd", 0.5, "at the limit of $0.50; allow more with limits.usd in agent.mdx"],
  ["seconds", 90, "at the limit of 90 seconds; allow more with limits.seconds in agent.mdx"],
  ["repeats", 3, "after 3 identical tool calls with identical results; allow more with limits.repeats in agent.mdx"],
  ["pauses", 10, "after 10 pauses of the model in a row; ask again to continue"],
  [
    "session.tokens",
    500,
    "at the session's limit of 500 tokens; allow more with limits.session.tokens in agent.mdx, or use another session with --session NAME",
  ],
  [
    "session.usd",
    2,
    "at the session's limit of $2.00; allow more with limits.session.usd in agent.mdx, or use another session with --session NAME",
  ],
  [
    "day.tokens",
    500,
    "at the day's limit of 500 tokens; allow more with limits.day.tokens in agent.mdx, or continue tomorrow",
  ],
  ["day.usd", 5, "at the day's limit of $5.00; allow more with limits.day.usd in agent.mdx, or continue tomorrow"],
])("the limit %s tells its value and what raises it", (limit, value, text) => {
  expect(limitText({ limit, value })).toBe(`stopped ${text}`);
});
