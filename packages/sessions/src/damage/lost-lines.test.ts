import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "@mdx-ai/models";
import { assistantMessage, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { beginOf } from "../../../../test/support/prompt-steps.ts";
import { type JournalLine, unreadableLine } from "../journal/journal.ts";
import { readTranscript } from "../session/transcript.ts";
import { promptDamage } from "./close-prompt.ts";

const line = (prompt: number, step: string, result: unknown): JournalLine => ({ v: 1, prompt, step, result });

const calling = (...ids: readonly string[]): AssistantMessage =>
  assistantMessage(
    ids.map((id) => ({ type: "toolCall", id, name: "look", arguments: {} })),
    { stopReason: "toolUse", timestamp: 7 },
  );
const said = assistantMessage([{ type: "text", text: "Done." }]);

const user = line(1, "begin", beginOf("Look"));
const asks = line(1, "model:1", calling("a", "b"));
const startedA: JournalLine = { v: 1, prompt: 1, step: "tool:1:a", started: true };
const resultA = line(1, "tool:1:a", toolResult("a", "A"));
const resultB = line(1, "tool:1:b", toolResult("b", "B"));
const answers = line(1, "model:2", said);
const end = line(1, "end", { outcome: "done", at: 9 });
const next = [line(2, "begin", beginOf("More")), line(2, "model:1", said), line(2, "end", { outcome: "done", at: 9 })];
const WHOLE = [user, asks, startedA, resultA, resultB, answers, end, ...next];

const without = (...lost: readonly JournalLine[]): readonly JournalLine[] => WHOLE.filter((one) => !lost.includes(one));

/** As a journal is read whose lines at these places cannot be. */
function damaged(lines: readonly JournalLine[], ...places: readonly number[]): readonly JournalLine[] {
  let prompt = 0;
  return lines.map((one, place) => {
    if (places.includes(place)) return unreadableLine(prompt);
    prompt = one.prompt;
    return one;
  });
}

const messagesOf = (lines: readonly JournalLine[]) => readTranscript(lines).conversation.messages;

describe("a call without a result has an error in its place, which a provider accepts", () => {
  const calledWithError = (lines: readonly JournalLine[]): readonly string[] =>
    messagesOf(lines).flatMap((message) =>
      message.role === "toolResult" && message.isError ? message.toolCallId : [],
    );

  test.each<[name: string, lines: readonly JournalLine[], found: readonly string[]]>([
    ["none where all have one", WHOLE, []],
    ["one", without(resultB), ["b"]],
    ["all of an answer", without(resultA, resultB), ["a", "b"]],
    ["one whose result is none", [...without(resultA), line(1, "tool:1:a", "text")], ["a"]],
    ["none of a prompt that has not ended: it continues", without(resultB, answers, end, ...next), []],
    [
      "none of answers that broke off, whose calls are not run",
      [user, line(1, "model:1", { ...calling("a"), stopReason: "aborted" }), end],
      [],
    ],
    ["none of attempts before the last", [user, asks, line(1, "model:1#2", said), end], []],
  ])("%s", (_name, lines, found) => {
    expect(calledWithError(lines)).toStrictEqual([...found]);
  });

  test("in the order of the calls, with the time of the answer", () => {
    expect(messagesOf(without(resultA)).slice(1, 4)).toMatchObject([
      { role: "assistant" },
      {
        role: "toolResult",
        toolCallId: "a",
        toolName: "look",
        isError: true,
        content: [{ text: "lost: the journal was damaged here; outcome unknown" }],
        timestamp: 7,
      },
      { role: "toolResult", toolCallId: "b", isError: false },
    ]);
  });
});

describe("where lines cannot be read", () => {
  test("a prompt without its input has another in the place", () => {
    expect(messagesOf(damaged(WHOLE, 0))[0]).toMatchObject({
      role: "user",
      content: [{ text: "[lost: the journal was damaged here]" }],
    });
  });

  test("a last prompt that has lost something is closed, so that nothing of it is done twice", () => {
    const open = [user, asks, startedA, resultA];
    for (const place of [0, 1, 2, 3]) {
      expect(promptDamage(readTranscript(damaged(open, place)).interrupted ?? [])).toBeString();
    }
    expect(promptDamage(readTranscript(open).interrupted ?? [])).toBeUndefined();
  });

  test("a last prompt before which something is lost continues", () => {
    const { interrupted } = readTranscript(damaged([...WHOLE.slice(0, 7), line(2, "begin", beginOf("More"))], 3));
    expect(interrupted).toHaveLength(1);
    expect(promptDamage(interrupted ?? [])).toBeUndefined();
  });

  test("later summaries, which count the messages that are lost, do not apply; what they cost counts still", () => {
    const summary = { summary: "s", replaced: 3, made: 5, before: 1, after: 1, measured: "estimate", timestamp: 0 };
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 2 };
    const answer = assistantMessage([], { cost: 0.5, usage });
    const lines = [
      ...WHOLE,
      line(0, "compact:messages:5", { ...summary, message: userMessage("s"), kept: [], answer }),
    ];
    expect(readTranscript(lines).conversation.compaction).toBeDefined();
    const { conversation, cost } = readTranscript(damaged(lines, 1));
    expect([conversation.compaction, cost.usd]).toStrictEqual([undefined, 0.5]);
  });

  test("every call has its result, and the user comes first, whichever lines are lost", () => {
    for (let lost = 1; lost < 2 ** WHOLE.length; lost++) {
      const messages = messagesOf(damaged(WHOLE, ...WHOLE.flatMap((_, place) => ((lost >> place) & 1 ? place : []))));
      const roles = messages.map(({ role }) => role[0]).join("");
      expect(roles).toMatch(/^(u(at*)*)*$/);
      for (const [place, message] of messages.entries()) {
        if (message.role !== "assistant") continue;
        const ids = message.content.flatMap((block) => (block.type === "toolCall" ? block.id : []));
        const results = messages.slice(place + 1, place + 1 + ids.length);
        expect(results.map((one) => (one.role === "toolResult" ? one.toolCallId : one.role))).toStrictEqual(ids);
        expect(messages[place + 1 + ids.length]?.role).not.toBe("toolResult");
      }
    }
  });
});
