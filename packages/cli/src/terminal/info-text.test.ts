import { describe, expect, test } from "bun:test";
import type { SessionInfo } from "@mdx-ai/runtime";
import { infoText } from "./session-reports.ts";

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 };
const info: SessionInfo = {
  session: {
    usage: { ...none, input: 1200, output: 30, thinking: 10, total: 1230 },
    usd: 0.5,
    unpriced: 0,
    calls: 2,
    latency: 100,
  },
  day: {
    usage: { ...none, input: 5000, output: 100, cacheRead: 4000, total: 9100 },
    usd: 0,
    unpriced: 9,
    calls: 9,
    latency: 100,
  },
  context: { tokens: 12_000, measured: "provider", window: 200_000 },
};
const parts = { user: "ada", models: ["anthropic/claude", "openai/gpt"], session: "main", messages: 4, turns: 2, info };

describe("what /info shows", () => {
  test("is user, model, fallbacks, session, tokens and cost of session and day, and how full the window is", () => {
    expect(infoText(parts)).toBe(
      [
        "User       ada",
        "Model      anthropic/claude",
        "Fallback   openai/gpt",
        "Session    main, 4 messages, 2 turns",
        "Spent      1,200 tokens in, 30 out (10 thinking), 1,230 total, $0.50",
        "Today      9,000 tokens in (4,000 cached), 100 out, 9,100 total, cost unknown",
        "Context    12,000 tokens, 6 % of 200,000 (counted by the provider)",
      ].join("\n"),
    );
  });

  test.each([
    [{ tokens: 900, measured: "estimate", window: 200_000 }, "900 tokens, less than 1 % of 200,000 (estimated)"],
    [{ tokens: 0, measured: "estimate", window: 200_000 }, "0 tokens, 0 % of 200,000 (estimated)"],
    [{ tokens: 900, measured: "estimate" }, "900 tokens, of a window of unknown size (estimated)"],
  ] as const)("of a context %j is honest", (context, text) => {
    expect(infoText({ ...parts, info: { ...info, context } })).toEndWith(`Context    ${text}`);
  });

  test("of a session that is new has no tokens and no fallback", () => {
    const fresh = { ...info, session: { usage: none, usd: 0, unpriced: 0, calls: 0, latency: 0 } };
    const text = infoText({
      ...parts,
      models: ["offline/offline"],
      messages: 0,
      turns: 0,
      info: fresh,
    });
    expect(text).toContain("Spent      no tokens\n");
    expect(text).not.toContain("Fallback");
  });
});
