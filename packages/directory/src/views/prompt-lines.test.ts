import { describe, expect, test } from "bun:test";
import type { Cost } from "@mdx-ai/loop";
import { incidentLine, limitText, promptUsage, type ReachedLimit, usageText } from "./prompt-lines.ts";

const usage = { input: 234, output: 56, cacheRead: 1000, cacheWrite: 0, thinking: 20, total: 1290 };
const cost: Cost = { usage, usd: 0.0123, unpriced: 0, calls: 3, latency: 3400 };
const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };

describe("the text about usage and cost", () => {
  test("is turns, tokens, cost and time on one line", () => {
    expect(promptUsage(cost, 2, 3400)).toBe(
      "2 turns, 1,234 tokens in (1,000 cached), 56 out (20 thinking), 1,290 total, $0.0123, 3.4 s",
    );
  });

  test("names nothing that there was not, and one as one", () => {
    const small: Cost = { usage: { ...none, input: 1, total: 1 }, usd: 0, unpriced: 0, calls: 1, latency: 100 };
    expect(promptUsage(small, 1, 3400)).toBe("1 turn, 1 token in, 0 out, 1 total, $0, 3.4 s");
  });

  test("counts tokens that were written to the cache as input", () => {
    expect(usageText({ ...cost, usage: { ...none, input: 1, cacheWrite: 2000, total: 2001 } })).toStartWith(
      "2,001 tokens in, 0 out, 2,001 total",
    );
  });

  test("says so where the tokens are an estimate", () => {
    expect(promptUsage({ ...cost, usage: { ...usage, estimated: true } }, 1, 3400)).toStartWith("1 turn, about 1,234 ");
  });

  test("says that the cost is unknown where it is", () => {
    expect(promptUsage({ ...cost, usd: 0, unpriced: 1 }, 1, 3400)).toContain(", cost unknown, ");
  });

  test("says what is known of a cost where the price of some answers is not", () => {
    expect(promptUsage({ ...cost, unpriced: 1 }, 1, 3400)).toContain(", at least $0.0123, ");
  });

  test("is nothing where no tokens were used", () => {
    expect(promptUsage({ usage: none, usd: 0, unpriced: 0, calls: 0, latency: 5000 }, 1, 3400)).toBeUndefined();
  });
});

const retry = { type: "model_retry", delay: 500, attempt: 1, attempts: 2 } as const;

describe("the line of a repetition", () => {
  test.each([
    ["overloaded", "overloaded; retrying in 0.5 s (1 of 2)"],
    ["could not reach x. Is it up?", "could not reach x. Is it up? Retrying in 0.5 s (1 of 2)"],
    ["it broke.", "it broke. Retrying in 0.5 s (1 of 2)"],
  ])("goes on behind %j", (reason, line) => {
    expect(incidentLine({ ...retry, reason })).toBe(line);
  });
});

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
