import { afterAll, describe, expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "../../support/model-request.ts";

let headers: Readonly<Record<string, string>> = {};
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => Response.json({ error: { message: "busy" } }, { status: 529, headers }),
});
afterAll(() => server.stop(true));

/** The wait that a failure asks for, of a server that answers with these headers. */
async function waitAfter(answered: Readonly<Record<string, string>>): Promise<number | undefined> {
  headers = answered;
  const model = await openModel("openai/m", { environment: {}, apiKey: "k", baseUrl: server.url.href });
  return endOf(await eventsOf(model)).message.failure?.retryAfter;
}

describe("the wait that a response asks for", () => {
  test.each([
    { answered: {}, wait: undefined },
    { answered: { "retry-after": "3" }, wait: 3000 },
    { answered: { "retry-after": " 0.5 " }, wait: 500 },
    { answered: { "retry-after": "0" }, wait: 0 },
    { answered: { "retry-after": "12s" }, wait: 12_000 },
    { answered: { "retry-after": "Wed, 31 Dec 2025 23:59:59 GMT" }, wait: 0 },
    { answered: { "retry-after-ms": "250" }, wait: 250 },
    { answered: { "retry-after-ms": "250.5", "retry-after": "9" }, wait: 250.5 },
    { answered: { "retry-after-ms": "0", "retry-after": "9" }, wait: 9000 },
    { answered: { "retry-after-ms": "0" }, wait: 0 },
    { answered: { "retry-after-ms": "soon", "retry-after": "9" }, wait: 9000 },
    { answered: { "retry-after": "soon" }, wait: undefined },
    { answered: { "retry-after": "-5" }, wait: 0 },
    { answered: { "retry-after": "" }, wait: undefined },
    { answered: { "retry-after": "9".repeat(400) }, wait: Number.MAX_SAFE_INTEGER },
  ])("is read from $answered", async ({ answered, wait }) => {
    expect(await waitAfter({ ...answered })).toBe(wait);
  });

  test.each([
    ["of today's form", (date: Date) => date.toUTCString()],
    [
      "of an older form",
      (date: Date) =>
        `${day(date)}, ${date.toUTCString().slice(5, 16).replaceAll(" ", "-")} ${date.toUTCString().slice(17)}`,
    ],
  ])("is read from a date %s", async (_, written) => {
    const wait = await waitAfter({ "retry-after": written(new Date(Date.now() + 30_000)) });
    expect(wait).toBeGreaterThan(20_000);
    expect(wait).toBeLessThanOrEqual(30_000);
  });
});

const day = (date: Date): string => date.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
