import { describe, expect, test } from "bun:test";
import type { Trace } from "@mdx-ai/runtime";
import fc from "fast-check";
import type { JournalLine } from "../../../../packages/runtime/src/journal/journal-line.ts";
import { sessionTrace } from "../../../../packages/runtime/src/trace/session-trace.ts";
import { cutText, textLimit, tracePage } from "../../../support/cli/trace.ts";
import { assistantMessage, toolResult, userMessage } from "../../../support/model-request.ts";
import { beginOf } from "../../../support/prompt-steps.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { HOSTILE } from "../../../support/trace-journal.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });

const traceOf = (lines: readonly JournalLine[], session = "main"): Trace =>
  sessionTrace(session, { lines, damage: [] });

/** A session in which every foreign text is this one, at this time. */
function sessionOf(text: string, at = 1000): Trace {
  const call = { type: "toolCall", id: "a", name: text, arguments: { [text]: text } } as const;
  const failed = { stopReason: "error", errorMessage: text, provider: text, model: text, timestamp: at } as const;
  const answer = { stopReason: "toolUse", provider: text, model: text, timestamp: at, latency: 10 } as const;
  return traceOf(
    [
      line(0, `own${text}`, 1),
      line(0, "agent:1", {}),
      line(0, "agent:2", { [text]: "x" }),
      line(0, "queue:1", { text, id: text, at }),
      line(1, "begin", beginOf({ ...userMessage(text), timestamp: at })),
      line(1, "steer:1", { ...userMessage(text), timestamp: at }),
      line(1, "compact:1", { reason: text }),
      line(1, "model:1", assistantMessage([], failed)),
      line(1, "model:1#2", assistantMessage([{ type: "text", text }, call], answer)),
      line(1, "tool:1:a", toolResult("a", text, { timestamp: at + 20, isError: true })),
      line(1, "resume:1", { at }),
      line(1, `other${text}`, 1),
    ],
    text,
  );
}

/** The elements of a page, in their order, with the names of their attributes. */
async function skeleton(page: string): Promise<readonly string[]> {
  const elements: string[] = [];
  const reader = new HTMLRewriter().on("*", {
    element(element) {
      elements.push(`${element.tagName} ${[...element.attributes].map(([name]) => name).join(" ")}`);
    },
  });
  await reader.transform(new Response(page)).text();
  return elements;
}

describe("the page of a trace", () => {
  test("has the same elements whatever the foreign texts in it are", async () => {
    const plain = await skeleton(tracePage(sessionOf("plain"), "plain"));
    expect(plain.length).toBeGreaterThan(60);
    const pieces = fc.constantFrom(
      "<",
      ">",
      '"',
      "'",
      "&",
      "</pre>",
      "</style>",
      "<script>",
      "-->",
      "\u0000",
      "x",
      " ",
    );
    const text = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => `a${parts.join("")}z`);
    await fc.assert(
      fc.asyncProperty(text, async (foreign) => {
        expect(await skeleton(tracePage(sessionOf(foreign), foreign))).toStrictEqual(plain);
      }),
      randomCases(60),
    );
  });

  test("holds no control character and nothing that turns the reading order", () => {
    const page = tracePage(sessionOf(HOSTILE), HOSTILE);
    expect(page).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    expect(page).not.toMatch(/<script|onerror="/);
  });

  test.each([1e300, -1e300, 8.64e15, -8.64e15])("is drawn with times that are no valid date: %d", (at) => {
    const page = tracePage(sessionOf("odd", at), "odd");
    expect(page).not.toMatch(/NaN|Infinity|undefined|Invalid/);
  });

  test("says that there is no prompt yet", () => {
    expect(tracePage(traceOf([]), "new")).toContain("There is no prompt in this session yet.");
  });
});

describe("the long texts of a page", () => {
  const answers = (count: number, length: number): Trace =>
    traceOf(
      Array.from({ length: count }, (_, number) =>
        line(1, `model:${number + 1}`, assistantMessage([{ type: "text", text: "x".repeat(length) }])),
      ),
    );

  test("are the shorter the more there are of them", () => {
    expect(textLimit(answers(10, 1_000_000))).toBe(50_000);
    expect(textLimit(answers(1000, 100))).toBe(50_000);
    expect(textLimit(answers(1000, 3000))).toBe(2000);
    expect(textLimit(answers(9000, 3000))).toBe(200);
    expect(textLimit(answers(30_000, 3000))).toBe(100);
  });

  test("say how much of them is left out, and are never cut within a character", () => {
    expect(cutText("abc", 3)).toStrictEqual({ text: "abc" });
    expect(cutText("a".repeat(2500), 1000).note).toBe("… 1,500 more characters; mdx-ai trace --json has all");
    expect(cutText("ab😀cd", 3)).toStrictEqual({
      text: "ab",
      note: "… 4 more characters; mdx-ai trace --json has all",
    });
  });
});
