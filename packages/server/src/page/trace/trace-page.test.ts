import { describe, expect, test } from "bun:test";
import type { JournalLine, Trace } from "@mdx-ai/sessions";
import fc from "fast-check";
import { assistantMessage, toolResult, userMessage } from "../../../../../test/support/model-request.ts";
import { beginOf } from "../../../../../test/support/prompt-steps.ts";
import { randomCases } from "../../../../../test/support/random-cases.ts";
import { HOSTILE } from "../../../../../test/support/trace-journal.ts";
import { sessionTrace } from "../../../../sessions/src/trace/session-trace.ts";
import { cutText, textLimit } from "./trace-data.ts";
import { tracePage } from "./trace-page.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });

/** A session in which every foreign text is this one. */
function sessionOf(text: string): Trace {
  const call = { type: "toolCall", id: "a", name: text, arguments: { [text]: text } } as const;
  const failed = { stopReason: "error", errorMessage: text, provider: text, model: text } as const;
  const answer = { stopReason: "toolUse", provider: text, model: text, latency: 10 } as const;
  const lines = [
    line(0, `own${text}`, 1),
    line(0, "agent:1", {}),
    line(0, "agent:2", { [text]: "x" }),
    line(0, "queue:1", { text, id: text, at: 1 }),
    line(1, "begin", beginOf(userMessage(text))),
    line(1, "steer:1", userMessage(text)),
    line(1, "compact:1", { reason: text }),
    line(1, "model:1", assistantMessage([], failed)),
    line(1, "model:1#2", assistantMessage([{ type: "text", text }, call], answer)),
    line(1, "tool:1:a", toolResult("a", text, { isError: true })),
    line(1, `other${text}`, 1),
  ];
  return sessionTrace(text, { lines, damage: [] });
}

const pageOf = (text: string, redact = (one: string): string => one): string =>
  tracePage(sessionOf(text), text, redact);

/** The elements of a page and their attributes, in order. */
async function skeleton(page: string): Promise<readonly string[]> {
  const elements: string[] = [];
  const reader = new HTMLRewriter().on("*", {
    element(element) {
      elements.push(`${element.tagName} ${[...element.attributes].join(" ")}`);
    },
  });
  await reader.transform(new Response(page)).text();
  return elements;
}

const PIECES = [
  "<",
  ">",
  '"',
  "'",
  "&",
  "</script>",
  "</style>",
  "<script>",
  "<!--",
  "-->",
  "\u2028",
  "\u0000",
  "x",
  " ",
];

describe("the page of a trace", () => {
  test("has the same elements and complete texts, with any untrusted text in it", async () => {
    const plain = await skeleton(pageOf("plain"));
    expect(plain.filter((one) => one.startsWith("script"))).toEqual([
      "script type,application/json id,trace",
      "script ",
    ]);
    const text = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const foreign = `a${parts.join("")}z`;
        const page = pageOf(foreign);
        expect(await skeleton(page)).toStrictEqual(plain);
        const json = /id="trace">(.*)<\/script>/.exec(page)?.[1] ?? "";
        const shown = foreign.replaceAll("\u0000", "\\u{0}").replaceAll("\u2028", "\\u{2028}");
        expect(JSON.parse(json)).toMatchObject({ session: shown, prompts: [{ input: shown }] });
      }),
      randomCases(60),
    );
  });

  test("contains no control character and nothing that turns the reading order", () => {
    const page = pageOf(HOSTILE);
    expect(page).not.toMatch(/(?!\n)\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u);
  });
});

test("a page of a trace has no text that is not redacted, and its script is whole", () => {
  const redact = (text: string): string => text.replaceAll('"main"', "[secret]");
  const page = pageOf('a "main" z', redact);
  expect(page).not.toMatch(/a \\?"main/);
  expect(page).toContain('el(\n    "main",');
});

describe("the long texts of a page", () => {
  const answers = (count: number, length: number): readonly string[] =>
    Array.from({ length: count }, () => "x".repeat(length));

  test("are the shorter the more there are of them", () => {
    expect(textLimit(answers(10, 1_000_000))).toBe(50_000);
    expect(textLimit(answers(1000, 100))).toBe(50_000);
    expect(textLimit(answers(1000, 3000))).toBe(2000);
    expect(textLimit(answers(9000, 3000))).toBe(200);
    expect(textLimit(answers(30_000, 3000))).toBe(100);
  });

  test("say how much of them is left out, and are never cut within a character", () => {
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("a".repeat(2500), 1000)).toEndWith("a\n… 1,500 more characters; mdx-ai trace --json has all");
    expect(cutText("ab😀cd", 3)).toBe("ab\n… 4 more characters; mdx-ai trace --json has all");
  });
});
