import { expect, test } from "bun:test";
import type { JournalLine } from "@mdx-ai/sessions";
import { assistantMessage, userMessage } from "../../../../test/support/model-request.ts";
import { beginOf } from "../../../../test/support/prompt-steps.ts";
import { readTranscript } from "./transcript.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });

const said = (prompt: number, text = `${prompt}`): JournalLine[] => [
  line(prompt, "begin", beginOf(text)),
  line(prompt, "model:1", assistantMessage([{ type: "text", text }])),
  line(prompt, "end", { outcome: "done", at: 0 }),
];

const open = (prompt: number): JournalLine[] => said(prompt).slice(0, 1);

const head = (number: number, prompt: number): JournalLine => line(0, `head:${number}`, { prompt, at: 0 });

/** What the user said in the transcript. */
const inputs = (lines: readonly JournalLine[]): string =>
  readTranscript(lines)
    .conversation.messages.flatMap(({ role, content }) =>
      role === "user" ? content.map((block) => (block.type === "text" ? block.text : "")) : [],
    )
    .join("");

test.each<[string, JournalLine[], string, number]>([
  ["all prompts where nobody went back", [...said(1), ...said(2)], "12", 2],
  ["those up to where somebody went back to", [...said(1), ...said(2), head(1, 1)], "1", 1],
  ["a new branch from there", [...said(1), ...said(2), head(1, 1), ...said(3)], "13", 3],
  [
    "the old branch, where somebody went back to that",
    [...said(1), ...said(2), head(1, 1), ...said(3), head(2, 2)],
    "12",
    2,
  ],
  ["nothing where somebody went back before the first", [...said(1), head(1, 0)], "", 0],
  ["what was said after that", [...said(1), head(1, 0), ...said(2)], "2", 2],
  ["no prompt that has no end", [...said(1), ...open(2)], "1", 1],
  ["no prompt that was left without an end", [...said(1), ...open(2), head(1, 1), ...said(3)], "13", 3],
])("a transcript is %s", (_name, lines, expected, last) => {
  expect(inputs(lines)).toBe(expected);
  expect(readTranscript(lines).head).toBe(last);
});

test("a prompt without an end is interrupted, unless the session was rewound since", () => {
  expect(readTranscript([...said(1), ...open(2)]).interrupted).toHaveLength(1);
  expect(readTranscript([...said(1), ...open(2), head(1, 1)]).interrupted).toBeUndefined();
});

test("a summary goes with its branch", () => {
  const compaction = {
    summary: "s",
    kept: [],
    message: userMessage("s"),
    replaced: 2,
    made: 2,
    before: 9,
    after: 1,
    measured: "estimate",
    answer: assistantMessage([]),
    timestamp: 0,
  };
  const summary = line(0, "compact:messages:2", compaction);
  const of = (lines: readonly JournalLine[]) => readTranscript(lines).conversation.compaction?.summary;
  expect(of([...said(1), summary, ...said(2)])).toBe("s");
  expect(of([...said(1), summary, ...said(2), head(1, 0), ...said(3)])).toBeUndefined();
  expect(of([...said(1), ...said(2), head(1, 1), summary, head(2, 2)])).toBe("s");
  expect(of([...said(1), line(1, "compact:1", compaction), head(1, 0), ...said(2), head(2, 1)])).toBe("s");
});

test("what was spent counts on every branch", () => {
  const usage = { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 6 };
  const answer = line(2, "model:1", assistantMessage([{ type: "text", text: "2" }], { usage }));
  const lines = [
    ...said(1),
    line(2, "begin", beginOf("2")),
    answer,
    line(2, "end", { outcome: "done", at: 0 }),
    head(1, 1),
  ];
  expect(readTranscript(lines).cost.usage).toMatchObject({ input: 5, output: 1 });
});
