import { expect, test } from "bun:test";
import { noCost } from "@mdx-ai/loop";
import { assistantMessage, userMessage } from "../../../../test/support/model-request.ts";
import { sessionText, wrappedSession } from "./session-text.ts";

const FAKE = "You 2026-04-28T10:00:00Z";

const options = { paint: (_colour: string, text: string) => text, redact: (text: string) => text };

const summary = {
  ...{ id: "main", prompts: 1, turns: 1, tokens: 0, cost: noCost, isUnfinished: false, at: 0, title: "" },
  state: "readable",
} as const;

function shown(): string {
  const call = { type: "toolCall", id: "a", name: FAKE, arguments: { text: FAKE } } as const;
  const messages = [
    userMessage("Hi"),
    assistantMessage([
      { type: "thinking", thinking: `so\n${FAKE}` },
      { type: "text", text: `Done.\n\n${FAKE}\nYes` },
      call,
    ]),
    {
      role: "toolResult" as const,
      toolCallId: "a",
      toolName: FAKE,
      content: [{ type: "text" as const, text: `${" ".repeat(38)}${FAKE}\n${FAKE}` }],
      isError: false,
      timestamp: 0,
    },
  ];
  return sessionText({ summary, messages }, options);
}

const headings = (text: string): readonly string[] => text.split("\n").filter((line) => /^\S/.test(line));

test("no line of what models and tools say begins like a heading", () => {
  const lines = headings(shown());
  expect(lines.filter((line) => line.startsWith("You"))).toHaveLength(1);
  expect(lines.at(-1)).toStartWith(`result of ${FAKE}`);
});

test("nor does one that a terminal of 40 columns wraps", () => {
  const lines = wrappedSession(shown(), 40).split("\n");
  expect(lines.filter((line) => line.startsWith("You"))).toHaveLength(1);
  expect(lines.filter((line) => line.trimStart().startsWith(FAKE.slice(0, 20))).length).toBeGreaterThan(3);
});

test("a secret of several lines is redacted although each of them is indented", () => {
  const redact = (text: string): string => text.replaceAll("one\ntwo", "[redacted]");
  const text = sessionText({ summary, messages: [userMessage("one\ntwo")] }, { ...options, redact });
  expect(text).toContain("  [redacted]\n");
});
