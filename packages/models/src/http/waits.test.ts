import { expect, test } from "bun:test";
import { refusedRequest } from "../../../../test/support/refused-request.ts";
import { askedWait, durationOf, waitText } from "./waits.ts";

const NOW = Date.parse("2026-11-28T09:00:00Z");

test.each([
  ["7m13.44s", 433_440],
  ["1m2s", 62_000],
  ["1h2m", 3_720_000],
  ["1h2m3s", 3_723_000],
  ["2h0m1.5s", 7_201_500],
  ["1d 2h", 93_600_000],
  ["20ms", 20],
  ["0.2s", 200],
  ["3.5s", 3500],
  ["45.837906927s", 45_837.907],
  ["3 seconds", 3000],
  ["1 minute and 5 seconds", 65_000],
  ["1 hour, 2 minutes", 3_720_000],
  ["2 mins", 120_000],
  ["12 hrs", 43_200_000],
  ["5", undefined],
  ["5 monkeys", undefined],
  ["soon", undefined],
])("%s is a duration of %p ms", (text, milliseconds) => {
  expect(durationOf(text)).toBe(milliseconds);
});

const words = (said: string) => ({ headers: new Headers(), body: undefined, said, isLimit: true });

test.each([
  ["Rate limit reached for model. Please try again in 7m13.44s. Need more tokens?", 433_440],
  ["Limit 12000, Used 11000, Requested 5000. Please try again in 20ms.", 20],
  ["Please retry in 4.2s.", 4200],
  ["Please retry in 41.820516331s.", 41_820.516],
  ["Try again in 30 seconds", 30_000],
  ["try again after 1m2s", 62_000],
  ["Please retry after 3 seconds. Please go here to increase the default rate limit.", 3000],
  ["Please wait 2 minutes before you ask again", 120_000],
  ["please wait for at least 5 seconds", 5000],
  ["Retrying in approximately 12 secs", 12_000],
  ["Your quota will reset after 12h34m16s.", 45_256_000],
  ["Rate limit resets in 42s", 42_000],
  ["Will be available again in about 1h2m", 3_720_000],
  ["rate limited, retry-after: 9", 9000],
  ['{"retry_after": 7}', 7000],
  ["Limit resets at 2026-11-28T09:00:30Z", 30_000],
  ["Try again after 2026-11-28 09:01:00 UTC.", 60_000],
  ['{"retryDelay": "6s"}', 6000],
  ["请求过于频繁，请在3秒后重试", 3000],
  ["Limit 30000 tokens per minute", undefined],
  ["You may send 5 requests in 10 seconds", undefined],
  ["Try a shorter text. It has 20 minutes of video", undefined],
])("the words %j ask for a wait of %p ms", (said, milliseconds) => {
  expect(askedWait(words(said), NOW)).toBe(milliseconds);
});

const retryInfo = (retryDelay: unknown) => ({
  error: {
    details: [{ "@type": "…/google.rpc.Help" }, { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }],
  },
});

test.each([
  [retryInfo("4s"), 4000],
  [[retryInfo("0.2s")], 200],
  [retryInfo({ seconds: "3", nanos: 500_000_000 }), 3500],
  [{ error: { retry_after: 2 } }, 2000],
  [{ retry_after_ms: 250 }, 250],
  [{ retryAfterMs: "250" }, 250],
  [{ error: { retry_after_seconds: 9 } }, 9000],
  [{ detail: { retryAfter: "1m" } }, 60_000],
  [{ error: { type: "usage_limit_reached", resets_in_seconds: 900 } }, 900_000],
  [{ error: { resets_at: NOW / 1000 + 30 } }, 30_000],
  [{ wait_seconds: 5 }, 5000],
  [{ error: { metadata: { headers: { "X-RateLimit-Reset": String(NOW + 8000) } } } }, 8000],
  [{ error: { message: "try", retry_after: null } }, undefined],
  [{ retry: { after: 5 } }, undefined],
])("the body %j asks for a wait of %p ms", (body, milliseconds) => {
  expect(askedWait({ ...words(""), body }, NOW)).toBe(milliseconds);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ "x-ratelimit-reset-tokens": "1.57s" }, 1570],
  [{ "x-ratelimit-reset-requests": "2m59.56s", "x-ratelimit-reset-tokens": "7.66s" }, 7660],
  [
    { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "12s", "x-ratelimit-reset-tokens": "7ms" },
    12_000,
  ],
  [{ "x-ratelimit-reset": String(NOW / 1000 + 5) }, 5000],
  [{ "x-ratelimit-reset": String(NOW + 5000) }, 5000],
  [{ "ratelimit-reset": "11" }, 11_000],
  [{ "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-11-28T09:00:20Z" }, 20_000],
  [{ "x-ratelimit-reset-tokens": "1s", "retry-after": "3" }, 3000],
  [{ "retry-after": "0", "x-ratelimit-reset-tokens": "1s" }, 1000],
  [{ "retry-after": "Sat, 28 Nov 2026 09:00:09 GMT" }, 9000],
  [{ "retry-after": "1m30s" }, 90_000],
  [{ "x-ratelimit-limit-tokens": "6000" }, undefined],
])("the headers %j ask for a wait of %p ms", (headers, milliseconds) => {
  expect(askedWait({ ...words(""), headers: new Headers(headers) }, NOW)).toBe(milliseconds);
});

test.each([
  [200, "1 second"],
  [45_000, "45 seconds"],
  [433_440, "434 seconds (7 minutes 14 seconds)"],
  [3_600_000, "3600 seconds (1 hour)"],
  [93_660_000, "93660 seconds (1 day 2 hours)"],
])("%d ms are shown as %s", (milliseconds, text) => {
  expect(waitText(milliseconds)).toBe(text);
});

const quota = "You exceeded your current quota, please check your plan and billing details.";
const refusal = (error: object) => JSON.stringify({ error: { code: 429, ...error } });

test.each([
  [
    "a text about billing with RetryInfo",
    refusal({ message: quota, ...retryInfo("4s").error }),
    { isTransient: true, retryAfter: 4000 },
  ],
  [
    "a text about billing with its wait",
    refusal({ message: `${quota} Please retry in 3.5s.` }),
    { isTransient: true, retryAfter: 3500 },
  ],
  [
    "a text about billing and a limit per minute",
    refusal({ message: quota, details: [{ violations: [{ quotaId: "GenerateRequestsPerMinutePerProject" }] }] }),
    { isTransient: true },
  ],
  [
    "a limit of pace that names a plan",
    refusal({ message: "Rate limit of your plan reached: 60 requests per minute" }),
    { isTransient: true },
  ],
  ["a text about billing alone", refusal({ message: quota }), { isTransient: false }],
  [
    "a spent account",
    refusal({ message: quota, type: "insufficient_quota", code: "insufficient_quota" }),
    { isTransient: false },
  ],
  [
    "a spent account of a gateway",
    refusal({ message: "Insufficient balance. Try again in 5s" }),
    { isTransient: false },
  ],
  [
    "a limit of the day",
    refusal({ message: "Rate limit: free-models-per-day. Try again in 7m13.44s." }),
    { isTransient: false, retryAfter: 433_440 },
  ],
])("a 429 with %s", async (_, text, failure) => {
  expect((await refusedRequest(text, { status: 429 })).failure).toMatchObject(failure);
});

test("a wait that is too long is shown", async () => {
  const text = refusal({ message: "Please try again in 7m13.44s." });
  expect((await refusedRequest(text, { status: 429 })).errorMessage).toEndWith(
    "Try again in 434 seconds (7 minutes 14 seconds).",
  );
});
