import { describe, expect, test } from "bun:test";
import type { AgentEvent, Answer, ApprovalAnswer, Question } from "@mdx-ai/loop";
import type { McpQuestion } from "@mdx-ai/runtime";
import { answerOf, offeredWords } from "../../../packages/sessions/src/questions/answer-words.ts";
import { QuestionBox, questionBox } from "../../../packages/sessions/src/questions/question-box.ts";
import { approvalRequest } from "../../support/approval-request.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { sessionQuestions } from "../../support/session-questions.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const { signal } = new AbortController();
const approval = (id = "1.1.1", more: { readonly deadline?: number } = {}): Question => ({
  ...{ id, session: "main", kind: "approval", request: approvalRequest({}), default: "no" },
  ...more,
});

describe("a question of a session", () => {
  test("is answered by the first who answers, and the others stop asking", async () => {
    const stopped: boolean[] = [];
    const onApproval = (_: unknown, stop: AbortSignal): Promise<ApprovalAnswer> =>
      new Promise((_resolve, reject) =>
        stop.addEventListener("abort", () => {
          stopped.push(true);
          reject(stop.reason);
        }),
      );
    const questions = sessionQuestions({ onApproval });
    const asked = questions.ask(approval(), signal);
    await Bun.sleep(1);
    expect(questions.open.map(({ id }) => id)).toEqual(["1.1.1"]);
    questions.answer("1.1.1", "yes");
    expect(await asked).toEqual({ answer: "once", by: "program" });
    expect([stopped, questions.open]).toEqual([[true], []]);
    expect(() => questions.answer("1.1.1", "yes")).toThrow(
      "no question 1.1.1 is waiting for an answer in session main",
    );
  });

  test("waits for its turn, and is not asked if another answer settles it", async () => {
    const events: AgentEvent[] = [];
    const questions = sessionQuestions({ answersWithin: Number.POSITIVE_INFINITY }, (event) => events.push(event));
    const first = questions.ask(approval("1.1.1"), signal);
    let isSettled = false;
    const second = questions.askBeside({ kind: "approval", request: approvalRequest({}) }, signal, {
      isSettled: () => isSettled,
    });
    await Bun.sleep(1);
    expect(questions.open.map(({ id }) => id)).toEqual(["1.1.1"]);
    isSettled = true;
    questions.answer("1.1.1", "no");
    expect(await first).toEqual({ answer: "no", by: "program" });
    expect(await second).toEqual({ answer: "no", by: "stop" });
    expect(events).toEqual([]);
  });

  test("is answered no at its deadline, when the prompt stops, and at once if there is no one to ask", async () => {
    const clock = new HandClock("2026-01-01T00:00:00Z");
    const waiting = sessionQuestions({ clock, answersWithin: 5 });
    const late = waiting.ask(approval("1.1.1", { deadline: clock.now() + 5_000 }), signal);
    await clock.untilTimer();
    clock.pass(5_000);
    expect(await late).toEqual({ answer: "no", by: "deadline" });
    const stop = new AbortController();
    const stopped = waiting.ask(approval("1.1.2"), stop.signal);
    stop.abort();
    expect(await stopped).toEqual({ answer: "no", by: "stop" });
    expect(await sessionQuestions().ask(approval(), signal)).toEqual({
      ...{ answer: "no", by: "failure", reason: "nobody can be asked" },
    });
  });

  test("takes the answer that was given while no process asked it, and one that comes meanwhile", async () => {
    using folder = temporaryDirectory();
    const box = questionBox(folder.path, "/", "main");
    expect(box).toBeInstanceOf(QuestionBox);
    const questions = sessionQuestions({ questionsDirectory: folder.path, answersWithin: 60 });
    const given: Answer = { answer: "session", by: "command" };
    box.answer("1.1.1", given);
    expect(await questions.ask(approval("1.1.1"), signal)).toEqual(given);
    const asked = questions.ask(approval("1.1.2"), signal);
    await Bun.sleep(1);
    expect([...box.open().keys()]).toEqual(["1.1.2"]);
    box.answer("1.1.2", { answer: "no", reason: "later", by: "command" });
    expect(await asked).toEqual({ answer: "no", reason: "later", by: "command" });
    questions.forget("1.1.2");
    expect(box.answerTo("1.1.2")).toBeUndefined();
  });
});

const form: McpQuestion = {
  type: "form",
  message: "Where to?",
  schema: {
    type: "object",
    properties: { name: { type: "string" }, days: { type: "integer", default: 1 }, fast: { type: "boolean" } },
    required: ["name"],
  },
};
const elicited = (request: McpQuestion): Question => ({
  ...{ id: "q-00000001", session: "main", kind: "elicitation", server: "trips", request, default: "no" },
});

describe("words", () => {
  test.each([
    [approval(), "yes", { answer: "once" }],
    [approval(), "once", { answer: "once" }],
    [approval(), "always", { answer: "always" }],
    [approval(), "no", { answer: "no" }],
    [elicited(form), ["name=Vienna", "days=3"], { answer: { name: "Vienna", days: 3 } }],
    [elicited(form), ['{"name":"Vienna","fast":true}'], { answer: { name: "Vienna", days: 1, fast: true } }],
    [elicited(form), { name: "Vienna" }, { answer: { name: "Vienna", days: 1 } }],
    [elicited(form), "no", { answer: "no" }],
    [elicited({ type: "url", message: "Open it", url: "https://a.example" }), "yes", { answer: {} }],
  ] as const)("answer %j with %j", (question, words, answer) => {
    expect(answerOf(question, words, "command")).toEqual({ ...answer, by: "command" });
  });

  test.each([
    [approval(), "prefix", "takes one of yes, no, session, always, but got"],
    [approval(), { name: "x" }, "takes one of yes, no"],
    [elicited(form), "yes", "name is missing; write name=value for name, days, fast, JSON, or no"],
    [elicited(form), ["name=Vienna", "days=many"], "days: write a number"],
    [elicited(form), ["city=Vienna"], "takes yes, no, JSON, or name=value for name, days, fast"],
    [elicited(form), { name: 3 }, "name does not fit: 3 is no text"],
    [elicited(form), { name: "x", city: 1 }, 'it has no value "city"'],
  ] as const)("that are no answer to %j: %j", (question, words, complaint) => {
    expect(() => answerOf(question, words, "command")).toThrow(complaint);
  });

  test("are offered as far as the question takes them", () => {
    const request = approvalRequest({ prefix: "bash(git *)", offersEdits: true });
    expect(offeredWords({ ...approval(), kind: "approval", request })).toEqual([
      ...["yes", "no", "session", "always", "prefix", "edits"],
    ]);
  });
});
