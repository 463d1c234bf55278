import { describe, expect, test } from "bun:test";
import { retryAfter } from "../../../packages/models/src/http/retry-after.ts";

const now = Date.UTC(2026, 0, 1);

describe("the wait that a response asks for", () => {
  test.each([
    { headers: {}, wait: undefined },
    { headers: { "retry-after": "3" }, wait: 3000 },
    { headers: { "retry-after": " 0.5 " }, wait: 500 },
    { headers: { "retry-after": "0" }, wait: 0 },
    { headers: { "retry-after": "12s" }, wait: 12_000 },
    { headers: { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, wait: 30_000 },
    { headers: { "retry-after": "Thursday, 01-Jan-26 00:00:30 GMT" }, wait: 30_000 },
    { headers: { "retry-after": "Wed, 31 Dec 2025 23:59:59 GMT" }, wait: 0 },
    { headers: { "retry-after-ms": "250" }, wait: 250 },
    { headers: { "retry-after-ms": "250.5", "retry-after": "9" }, wait: 250.5 },
    { headers: { "retry-after-ms": "0", "retry-after": "9" }, wait: 9000 },
    { headers: { "retry-after-ms": "0" }, wait: 0 },
    { headers: { "retry-after-ms": "soon", "retry-after": "9" }, wait: 9000 },
    { headers: { "retry-after": "soon" }, wait: undefined },
    { headers: { "retry-after": "-5" }, wait: 0 },
    { headers: { "retry-after": "" }, wait: undefined },
    { headers: { "retry-after": "9".repeat(400) }, wait: Number.MAX_SAFE_INTEGER },
  ])("is read from %j", ({ headers, wait }) => {
    const given: Record<string, string> = { ...headers };
    expect(retryAfter(new Headers(given), now)).toBe(wait);
  });
});
