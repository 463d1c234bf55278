import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import type { AgentEvent, Answer, ApprovalAnswer, Question } from "@mdx-ai/loop";
import type { McpQuestion } from "@mdx-ai/runtime";
import { approvalRequest } from "../../../../test/support/approval-request.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { sessionQuestions } from "../../../../test/support/session-questions.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { answerOf, offeredWords } from "./answer-words.ts";
import { QuestionBox, questionBox } from "./question-box.ts";

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
    await eventually(() => expect(questions.open.map(({ id }) => id)).toEqual(["1.1.1"]));
    questions.answer("1.1.1", "yes");
    expect(await asked).toEqual({ answer: "once", by: "program" });
    expect([stopped, questions.open]).toEqual([[true], []]);
    expect(() => questions.answer("1.1.1", "yes")).toThrow("question 1.1.1 has already been answered");
  });

  test("takes an answer from who has read of it before it is asked", async () => {
    using folder = temporaryDirectory();
    const box = questionBox(folder.path, "/", "main");
    const questions = sessionQuestions({ answersWithin: Number.POSITIVE_INFINITY, questionsDirectory: folder.path });
    questions.note({ type: "question_asked", question: approval() });
    expect(questions.open.map(({ id }) => id)).toEqual(["1.1.1"]);
    questions.answer("1.1.1", "yes");
    expect(() => questions.answer("1.1.1", "no")).toThrow("question 1.1.1 has already been answered");
    expect(await questions.ask(approval(), signal)).toEqual({ answer: "once", by: "program" });
    expect(box.answerTo("1.1.1")).toEqual({ answer: "once", by: "program" });
    questions.note({ type: "question_asked", question: approval("2.1.1") });
    questions.forgetPrompt(2, false);
    expect(questions.open).toEqual([]);
  });

  test("waits for its turn, and is not asked if another answer settles it", async () => {
    const events: AgentEvent[] = [];
    const questions = sessionQuestions({ answersWithin: Number.POSITIVE_INFINITY }, (event) => events.push(event));
    const first = questions.ask(approval("1.1.1"), signal);
    let isSettled = false;
    const second = questions.askBeside({ kind: "approval", request: approvalRequest({}) }, signal, {
      isSettled: () => isSettled,
    });
    await eventually(() => expect(questions.open.map(({ id }) => id)).toEqual(["1.1.1"]));
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
      ...{ answer: "no", by: "failure", reason: "no user can be asked" },
    });
  });

  test("takes the answer that was given while no process asked it, and one that comes meanwhile", async () => {
    using folder = temporaryDirectory();
    const box = questionBox(folder.path, "/", "main");
    expect(box).toBeInstanceOf(QuestionBox);
    const questions = sessionQuestions({ questionsDirectory: folder.path, answersWithin: 60 });
    const given: Answer = { answer: "session", by: "command" };
    box.post("1.1.1", approval("1.1.1"));
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

  test("takes no answer that was given to another question of its id", async () => {
    using folder = temporaryDirectory();
    const clock = new HandClock("2026-01-01T00:00:00Z");
    const box = questionBox(folder.path, "/", "main");
    const questions = sessionQuestions({ clock, questionsDirectory: folder.path, answersWithin: 5 });
    box.post("1.1.1", { ...approval(), request: approvalRequest({ toolName: "read_file" }) });
    box.answer("1.1.1", { answer: "always", by: "command" });
    const asked = questions.ask(approval("1.1.1", { deadline: clock.now() + 5_000 }), signal);
    await clock.untilTimer();
    expect(box.open().get("1.1.1")).toMatchObject({ request: { toolName: "bash" } });
    clock.pass(5_000);
    expect(await asked).toEqual({ answer: "no", by: "deadline" });
  });

  test("has one answer, whoever gives it: what loses is refused", async () => {
    using folder = temporaryDirectory();
    const box = questionBox(folder.path, "/", "main");
    const here = Promise.withResolvers<ApprovalAnswer>();
    const questions = sessionQuestions({ onApproval: () => here.promise, questionsDirectory: folder.path });
    const asked = questions.ask(approval(), signal);
    await Bun.sleep(1);
    here.resolve({ answer: "no" });
    // In the same moment, before this process notices.
    expect(box.answer("1.1.1", { answer: "once", by: "command" })).toBe(true);
    expect(await asked).toEqual({ answer: "once", by: "command" });
    questions.forget("1.1.1");
    expect(box.answer("1.1.1", { answer: "no", by: "command" })).toBe(false);
    expect(readdirSync(folder.path, { recursive: true }).filter((name) => String(name).includes("1.1.1"))).toEqual([]);
  });

  test("whose deadline has passed while no process ran is answered no, and nobody is asked", async () => {
    using folder = temporaryDirectory();
    const clock = new HandClock("2026-01-01T00:00:00Z");
    let asks = 0;
    const onApproval = async (): Promise<ApprovalAnswer> => {
      asks += 1;
      return { answer: "once" };
    };
    const questions = sessionQuestions({ clock, onApproval, questionsDirectory: folder.path });
    expect(await questions.ask(approval("1.1.1", { deadline: clock.now() - 1 }), signal)).toEqual({
      ...{ answer: "no", by: "deadline" },
    });
    const box = questionBox(folder.path, "/", "main");
    const early = approval("1.1.2", { deadline: clock.now() - 1 });
    box.post("1.1.2", early);
    box.answer("1.1.2", { answer: "session", by: "command" });
    expect(await questions.ask(early, signal)).toEqual({ answer: "session", by: "command" });
    expect(asks).toBe(0);
  });

  test("of a running call has its answer until the prompt ends, for a call that runs again", async () => {
    using folder = temporaryDirectory();
    const options = { questionsDirectory: folder.path, answersWithin: 60 };
    const asking = { id: "1.1.1" };
    const where = {
      kind: "elicitation",
      server: "trips",
      request: { type: "url", message: "?", url: "https://a.example" },
    } as const;
    const box = questionBox(folder.path, "/", "main");
    const before = sessionQuestions(options);
    const first = before.askBeside(where, signal, { asking });
    await Bun.sleep(1);
    before.answer("1.1.1.1", "yes");
    expect(await first).toEqual({ answer: {}, by: "program" });
    // Its process ends while the call's second question waits.
    void before.askBeside({ ...where, server: "other" }, signal, { asking });
    await eventually(() => box.question("1.1.1.2") !== undefined);
    const deadline = box.question("1.1.1.2")?.["deadline"];
    expect(deadline).toBeNumber();
    await Bun.sleep(5);

    const after = sessionQuestions(options);
    expect(await after.askBeside(where, signal, { asking })).toEqual({ answer: {}, by: "program" });
    const second = after.askBeside({ ...where, server: "other" }, signal, { asking });
    await Bun.sleep(1);
    expect(after.open).toMatchObject([{ id: "1.1.1.2", deadline }]);
    box.answer("1.1.1.2", { answer: "no", by: "command" });
    expect(await second).toEqual({ answer: "no", by: "command" });
    after.forgetPrompt(1, false);
    expect(box.question("1.1.1.1")).toBeUndefined();
    expect([box.open().size, box.answerTo("1.1.1.2")]).toEqual([0, undefined]);
  });

  test("about a sign-in keeps no other question waiting", async () => {
    const questions = sessionQuestions({ answersWithin: 60 });
    void questions.askBeside({ kind: "sign_in", server: "mail", url: "https://a.example" }, signal, {
      here: () => new Promise(() => {}),
    });
    void questions.ask(approval(), signal);
    await eventually(() => expect(questions.open.map(({ kind }) => kind)).toEqual(["sign_in", "approval"]));
    for (const { id } of questions.open) questions.answer(id, "no");
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
    expect(answerOf(question, words, { by: "command" })).toEqual({ ...answer, by: "command" });
  });

  test.each([
    [approval(), "prefix", "takes one of yes, no, session, always, but got"],
    [approval(), { name: "x" }, "takes one of yes, no"],
    [elicited(form), "yes", "no `name`, expected one; write name=value for name, days, fast, JSON, or no"],
    [elicited(form), ["name=Vienna", "days=many"], "days: write a number"],
    [elicited(form), ["city=Vienna"], "takes no, JSON, or name=value for name, days, fast"],
    [elicited(form), { name: 3 }, "unexpected `3` as `name`, expected a text; write"],
    [elicited(form), { name: "x", city: 1 }, "unexpected value `city`, expected one of name, days, fast"],
  ] as const)("that are no answer to %j: %j", (question, words, complaint) => {
    expect(() => answerOf(question, words, { by: "command" })).toThrow(complaint);
  });

  test("are offered as far as the question takes them", () => {
    const request = approvalRequest({ prefix: "bash(git *)", offersEdits: true });
    expect(offeredWords({ ...approval(), kind: "approval", request })).toEqual([
      ...["yes", "no", "session", "always", "prefix", "edits"],
    ]);
  });
});
