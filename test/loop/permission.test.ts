import { expect, test } from "bun:test";
import type { AgentEvent, Answer, PermissionGate, Question } from "@mdx-ai/loop";
import { approvalRequest } from "../support/approval-request.ts";
import { lastingEvents, playAll, recordLive } from "../support/live-recording.ts";
import type { LoopRun } from "../support/loop-run.ts";

/** Allows `wait`, refuses `fail` and asks about the rest, with answers as they come. */
function asking(...answers: readonly Answer[]): Pick<LoopRun, "gate" | "ask"> & { readonly asked: Question[] } {
  const asked: Question[] = [];
  const gate: PermissionGate = {
    rule: async ({ name }) => {
      if (name === "wait") return { action: "allow" };
      return name === "fail" ? { action: "deny", reason: "a rule refuses it" } : undefined;
    },
    question: async ({ id: toolCallId }) => ({ kind: "approval", request: approvalRequest({ toolCallId }) }),
    settle: async (_call, _subject, { answer, reason = "" }) =>
      answer === "no" ? { action: "deny", reason: `the user says: ${reason}` } : { action: "allow" },
  };
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(question);
    return answers[asked.length - 1] ?? { answer: "no", by: "failure" };
  };
  return { gate, ask, asked };
}

const call = (id: string, name: string, ticks = 1) => ({ id, name, arguments: { ticks } });

const script = [
  { calls: [call("a", "wait", 5), call("b", "fail"), call("c", "odd_name"), call("d", "look", 0)] },
  { text: "done" },
];

const texts = (events: readonly AgentEvent[]): readonly unknown[] =>
  events.flatMap((event) =>
    event.type === "message_end" && event.message.role === "toolResult"
      ? [[event.message.toolCallId, event.message.content[0], event.message.isError]]
      : [],
  );

test("of calls side by side each is allowed, refused or asked about; a decision is a step before its call's", async () => {
  const { asked, ...run } = asking(
    { answer: "once", by: "terminal" },
    { answer: "no", reason: "not now", by: "program" },
  );
  const { events, lines } = await recordLive({ scripts: [script], inputs: ["go"], run });
  expect(asked.map(({ id, session, kind }) => [id, session, kind])).toStrictEqual([
    ["1.1.3", "main", "approval"],
    ["1.1.4", "main", "approval"],
  ]);
  expect(texts(events[0] ?? [])).toMatchObject([
    ["a", { text: "waited 5" }, false],
    ["b", { text: "a rule refuses it" }, true],
    ["c", { text: "odd" }, false],
    ["d", { text: "the user says: not now" }, true],
  ]);
  const steps = lines.map((line) => `${line.step}${"started" in line ? " started" : ""}`);
  expect(steps.filter((step) => /^(question|answer|permission):/.test(step))).toStrictEqual([
    "question:tool:1:c",
    "answer:tool:1:c",
    "permission:tool:1:c",
    "question:tool:1:d",
    "answer:tool:1:d",
    "permission:tool:1:d",
  ]);
  const answers = lines.flatMap((line) => ("result" in line && line.step.startsWith("answer:") ? [line.result] : []));
  expect(answers).toStrictEqual([
    { answer: "once", by: "terminal" },
    { answer: "no", reason: "not now", by: "program" },
  ]);
  expect(steps.indexOf("permission:tool:1:c")).toBeLessThan(steps.indexOf("tool:1:c started"));
  expect(steps.filter((step) => step.endsWith(" started")).sort()).toStrictEqual([
    "tool:1:a started",
    "tool:1:c started",
  ]);
  const decided = (events[0] ?? []).filter(({ type }) => type === "permission_decided");
  expect(decided.map((event) => ("action" in event ? [event.toolCallId, event.action] : [])).sort()).toStrictEqual([
    ["b", "deny"],
    ["c", "allow"],
    ["d", "deny"],
  ]);
});

test("a replay reports the same decisions and does not ask", async () => {
  const { asked, ...run } = asking({ answer: "no", by: "program" }, { answer: "session", by: "program" });
  const { events, lines } = await recordLive({ scripts: [script], inputs: ["go"], run });
  expect(asked).toHaveLength(2);
  const order = (told: readonly AgentEvent[]): readonly unknown[] =>
    lastingEvents(told)
      .map((event) => JSON.stringify(event))
      .sort();
  const [played = []] = await playAll(lines);
  expect(order(played)).toStrictEqual(order(events[0] ?? []));
});
