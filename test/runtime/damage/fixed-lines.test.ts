import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "@mdx-ai/models";
import { danglingCalls, fixedLines } from "../../../packages/runtime/src/damage/find-damage.ts";
import type { JournalLine } from "../../../packages/runtime/src/journal/journal-line.ts";
import { readTranscript } from "../../../packages/runtime/src/session/transcript.ts";
import { assistantMessage, toolResult, userMessage } from "../../support/model-request.ts";
import { beginOf } from "../../support/prompt-steps.ts";

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

/** A journal that has lost the lines at these places. */
const damaged = (lines: readonly JournalLine[], ...places: readonly number[]) => ({
  lines: lines.filter((_, place) => !places.includes(place)),
  gaps: places.toSorted((one, other) => one - other).map((place, before) => place - before),
});

const steps = (lines: readonly JournalLine[]): readonly string[] =>
  lines.map(({ prompt, step }) => `${prompt} ${step}`);

describe("calls without a result", () => {
  test.each<[name: string, lines: readonly JournalLine[], found: readonly string[]]>([
    ["none where all have one", WHOLE, []],
    ["one", without(resultB), ["tool:1:b"]],
    ["all of an answer", without(resultA, resultB), ["tool:1:a", "tool:1:b"]],
    ["one whose result is none", [...without(resultA), line(1, "tool:1:a", "text")], ["tool:1:a"]],
    ["none of a prompt that has not ended: it goes on", without(resultB, answers, end, ...next), []],
    ["none of a prompt that was left open by going back", without(resultB, answers, end), []],
    [
      "none of answers that broke off, whose calls are not run",
      [user, line(1, "model:1", { ...calling("a"), stopReason: "aborted" }), end],
      [],
    ],
    ["none of attempts before the last", [user, asks, line(1, "model:1#2", said), end], []],
    ["each of those that share an id", [user, line(1, "model:1", calling("a", "a")), resultA, end], ["tool:1:a#2"]],
  ])("are found: %s", (_name, lines, found) => {
    expect(danglingCalls(lines).map(({ step }) => step)).toStrictEqual([...found]);
  });
});

describe("a journal is fixed", () => {
  test("not at all where it lacks nothing, whether its last prompt has ended or not", () => {
    for (let length = 0; length <= WHOLE.length; length++) {
      const lines = WHOLE.slice(0, length);
      expect(fixedLines({ lines, gaps: [] })).toStrictEqual({ lines, added: 0 });
    }
  });

  test("by an error result for each call that has none, before the end of its prompt, so that a provider accepts it", () => {
    const { lines, added } = fixedLines({ lines: without(resultB), gaps: [] });
    expect(added).toBe(1);
    expect(steps(lines)).toStrictEqual(steps([user, asks, startedA, resultA, answers, resultB, end, ...next]));
    const { messages } = readTranscript(lines).conversation;
    expect(messages.slice(1, 4)).toMatchObject([
      { role: "assistant" },
      { role: "toolResult", toolCallId: "a", isError: false },
      {
        role: "toolResult",
        toolCallId: "b",
        toolName: "look",
        isError: true,
        content: [{ text: "lost: the journal was damaged here; outcome unknown" }],
        timestamp: 7,
      },
    ]);
  });

  test("by an input where a prompt has lost its own", () => {
    const { lines } = fixedLines(damaged(WHOLE, 0));
    expect(readTranscript(lines).conversation.messages[0]).toMatchObject({
      role: "user",
      content: [{ text: "[lost: the journal was damaged here]" }],
    });
  });

  test("by the end of a last prompt that has lost something, so that nothing of it is done twice", () => {
    const open = [user, asks, startedA, resultA];
    for (const place of [0, 1, 2, 3]) {
      const { interrupted, conversation } = readTranscript(fixedLines(damaged(open, place)).lines);
      expect(interrupted).toBeUndefined();
      expect(conversation.messages[0]).toMatchObject({ role: "user" });
    }
    expect(steps(fixedLines(damaged(open, 3)).lines)).toStrictEqual([
      "1 begin",
      "1 model:1",
      "1 tool:1:a",
      "1 tool:1:a",
      "1 tool:1:b",
      "1 end",
    ]);
  });

  test("and continues with a last prompt before which something was lost", () => {
    const { lines } = fixedLines(damaged([...WHOLE.slice(0, 7), line(2, "begin", beginOf("More"))], 3));
    expect(readTranscript(lines).interrupted).toHaveLength(1);
  });

  test("without summaries that count messages which are lost; what they cost counts still", () => {
    const summary = { summary: "s", replaced: 3, made: 5, before: 1, after: 1, measured: "estimate", timestamp: 0 };
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, thinking: 0 };
    const answer = assistantMessage([], { cost: 0.5, usage });
    const lines = [
      ...WHOLE,
      line(0, "compact:messages:5", { ...summary, message: userMessage("s"), kept: [], answer }),
    ];
    expect(readTranscript(lines).conversation.compaction).toBeDefined();
    const fixed = readTranscript(fixedLines(damaged(lines, 1)).lines);
    expect(fixed.conversation.compaction).toBeUndefined();
    expect(fixed.cost.usd).toBe(0.5);
  });

  test("so that whatever lines it loses, every call has its result, and the user comes first", () => {
    for (let lost = 1; lost < 2 ** WHOLE.length; lost++) {
      const places = WHOLE.flatMap((_, place) => ((lost >> place) & 1 ? place : []));
      const { lines } = fixedLines(damaged(WHOLE, ...places));
      const { messages } = readTranscript(lines).conversation;
      const roles = messages.map(({ role }) => role[0]).join("");
      expect(roles).toMatch(/^(u(at*)*)*$/);
      for (const [place, message] of messages.entries()) {
        if (message.role !== "assistant") continue;
        const ids = message.content.flatMap((block) => (block.type === "toolCall" ? block.id : []));
        const results = messages.slice(place + 1, place + 1 + ids.length);
        expect(results.map((one) => (one.role === "toolResult" ? one.toolCallId : one.role))).toStrictEqual(ids);
        expect(messages[place + 1 + ids.length]?.role).not.toBe("toolResult");
      }
      expect(fixedLines({ lines, gaps: [] })).toStrictEqual({ lines, added: 0 });
    }
  });
});
