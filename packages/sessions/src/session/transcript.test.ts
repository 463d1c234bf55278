import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Compaction } from "@mdx-ai/loop";
import { compact, isCompactionOutcome } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import type { JournalLine } from "@mdx-ai/sessions";
import { openStoredSession } from "@mdx-ai/sessions";
import { compactOptions, smallTalk } from "../../../../test/support/conversation.ts";
import { assistantMessage, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { beginOf, stepsOf } from "../../../../test/support/prompt-steps.ts";
import { scriptReference } from "../../../../test/support/replies.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { sentMessages } from "../../../loop/src/context/sent-messages.ts";
import { newTranscript, readTranscript } from "./transcript.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });

const answer = (text: string) => assistantMessage([{ type: "text", text }]);
const failed = (text: string) =>
  assistantMessage([{ type: "text", text }], { stopReason: "error", failure: { isTransient: true } });

test("a session that holds nothing yet begins as one whose journal has no lines", () => {
  expect(newTranscript()).toStrictEqual(readTranscript([]));
});

test("the last note about the mode that was sent is known without the messages", () => {
  const prompt = (number: number, modeNote: string | undefined, text: string | undefined): readonly JournalLine[] => {
    const begin = beginOf("go");
    const message = { ...userMessage(text ?? ""), origin: "mode" } as const;
    return [
      line(number, "begin", { ...begin, plan: { ...begin.plan, ...(modeNote !== undefined && { modeNote }) } }),
      ...(text === undefined ? [] : [line(number, "hook:beforePrompt", { message })]),
      line(number, "model:1", answer("done")),
      line(number, "end", { outcome: "done", at: 2 }),
    ];
  };
  const sent = [...prompt(1, "plan", "plan"), ...prompt(2, undefined, undefined)];
  expect(readTranscript(sent).modeNote).toBe("plan");
  expect(readTranscript([...sent, ...prompt(3, "ended", undefined)]).modeNote).toBe("plan");
  expect(readTranscript([...sent, ...prompt(3, "ended", "ended")]).modeNote).toBe("ended");
});

test("of the attempts of a turn the last is the answer; those before it are no messages", () => {
  const call = { type: "toolCall", id: "a", name: "read_file", arguments: {} } as const;
  const { conversation } = readTranscript([
    line(1, "begin", beginOf("go")),
    line(1, "model:1", failed("half")),
    line(1, "retry:1#2", { at: 1 }),
    line(1, "model:1#2", failed("more")),
    line(1, "model:1#3", assistantMessage([call], { stopReason: "toolUse" })),
    line(1, "tool:1:a", toolResult("a", "read")),
    line(1, "model:2", failed("overloaded")),
    line(1, "model:2#2", answer("done")),
    line(1, "end", { outcome: "done", at: 2 }),
    line(2, "begin", beginOf("again")),
    line(2, "model:1", failed("the last one failed, too")),
    line(2, "end", { outcome: "error", at: 3 }),
  ]);
  expect(conversation.messages).toEqual([
    userMessage("go"),
    assistantMessage([call], { stopReason: "toolUse" }),
    toolResult("a", "read"),
    answer("done"),
    userMessage("again"),
    failed("the last one failed, too"),
  ]);
});

const compaction = (summary: string, replaced: number, made = replaced): Compaction => ({
  summary,
  kept: [],
  message: userMessage(summary),
  replaced,
  made,
  before: 9,
  after: 1,
  measured: "estimate",
  answer: answer(summary),
  timestamp: 0,
});

const talk = (prompt: number): JournalLine[] => [
  line(prompt, "begin", beginOf(`${prompt}`)),
  line(prompt, "model:1", answer(`${prompt}`)),
];
const end = (prompt: number): JournalLine => line(prompt, "end", { outcome: "done", at: 0 });

test.each<[string, JournalLine[], string | undefined]>([
  ["none where nothing was summarised", [...talk(1), end(1)], undefined],
  ["the one of a prompt", [...talk(1), line(1, "compact:2", compaction("one", 1)), end(1)], "one"],
  [
    "the one that the user asked for",
    [...talk(1), end(1), line(0, "compact:messages:2", compaction("asked", 2))],
    "asked",
  ],
  [
    "the newest, wherever it was made",
    [
      ...talk(1),
      line(1, "compact:2", compaction("one", 1)),
      end(1),
      line(0, "compact:messages:2", compaction("two", 2)),
      ...talk(2),
      line(2, "compact:1", compaction("three", 2, 3)),
      end(2),
    ],
    "three",
  ],
  [
    "not an attempt that failed",
    [...talk(1), line(1, "compact:1", compaction("one", 1)), line(1, "compact:2", { reason: "empty" }), end(1)],
    "one",
  ],
  [
    "not one of a prompt that a crash cut short",
    [...talk(1), end(1), ...talk(2), line(2, "compact:1", compaction("x", 2))],
    undefined,
  ],
  [
    "not one that stands for messages that there are not",
    [...talk(1), line(1, "compact:1", compaction("x", 9)), end(1)],
    undefined,
  ],
  [
    "not one of another form",
    [...talk(1), line(1, "compact:1", { ...compaction("x", 1), message: "x" }), end(1)],
    undefined,
  ],
  [
    "not what a step of another name gave",
    [...talk(1), line(1, "tool:1:compact:1", compaction("x", 1)), end(1)],
    undefined,
  ],
])("the summary that a session goes on with is %s", (_name, lines, expected) => {
  expect(readTranscript(lines).conversation.compaction?.summary).toBe(expected);
});

const openMain = (directory: string) =>
  openStoredSession({ directory, id: "main", clock: { now: () => 0 }, onWarning: () => {} });

test("what is sent after a summary is the same to the byte when the session is opened again, and all of it stays stored", async () => {
  using directory = temporaryDirectory();
  using scripts = temporaryDirectory();
  const model = await openModel(scriptReference(scripts.path, [{ text: "They talked. 🎉\r\n" }]), { environment: {} });
  const session = openMain(directory.path);
  const talk = smallTalk();
  for (let index = 0; index < talk.length; index += 2) {
    await session.runPrompt(async (journal) => {
      const step = stepsOf(journal);
      const { conversation } = journal;
      for (const message of talk.slice(index, index + 2)) {
        const [name, result] = message.role === "user" ? ["begin", beginOf(message)] : ["model:1", message];
        await step(name, async () => result, { accepts: (_): _ is typeof result => true });
        conversation.messages.push(message);
      }
      if (index + 2 === talk.length) {
        const summarise = async () => (await compact(conversation, compactOptions(model))) ?? { reason: "nothing" };
        const outcome = await step("compact:2", summarise, { accepts: isCompactionOutcome });
        if ("message" in outcome) conversation.compaction = outcome;
      }
      await step("end", async () => "done", { accepts: (value) => value === "done" });
    });
  }
  const sent = JSON.stringify(sentMessages(session.conversation, {}));
  expect(sent).toContain("They talked. 🎉");
  expect(sent.length).toBeLessThan(JSON.stringify(session.messages).length / 2);
  session.close();
  const again = openMain(directory.path);
  expect(JSON.stringify(sentMessages(again.conversation, {}))).toBe(sent);
  expect(again.messages).toHaveLength(smallTalk().length);
  expect(JSON.parse(await Bun.file(join(directory.path, "main/history.json")).text())).toHaveLength(8);
  again.clear();
  expect(again.conversation).toEqual({ first: 0, messages: [], compaction: undefined });
  again.close();
});

test("a prompt that failed loses its summary with the rest of it", async () => {
  using directory = temporaryDirectory();
  const session = openMain(directory.path);
  const failing = session.runPrompt(async ({ conversation }) => {
    conversation.messages.push(userMessage("x"));
    conversation.compaction = compaction("lost", 1);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(session.conversation).toEqual({ first: 0, messages: [], compaction: undefined });
  session.close();
});
