import { describe, expect, test } from "bun:test";
import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/loop";
import { approvalRequest } from "../../../../test/support/approval-request.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { themeOf } from "../output/theme.ts";
import { ApprovalQuestions } from "./approval-questions.ts";
import type { Drawing } from "./screen/screen.ts";

/** So long that no test sees its end. */
const NEVER = 1_000_000;

interface Asked {
  /** What was answered; the message where it was taken back. */
  readonly answer: Promise<ApprovalAnswer | string>;
}

interface Desk {
  readonly questions: ApprovalQuestions;
  /** Types characters one after the other, as a terminal without a pause does; what is not used up stands in the input. */
  type(text: string): void;
  input(): string;
  /** What is drawn above the input. */
  live(): string;
  scrollback(): string;
  /** Asks, and waits until something is asked. */
  ask(request?: Partial<ApprovalRequest>, signal?: AbortSignal): Promise<Asked>;
}

function desk({ quiet = 0, rows = 40, draft = "", background = false } = {}): Desk {
  let input = draft;
  const finished: Drawing[] = [];
  const screen = {
    append: (drawing: Drawing) => void finished.push(drawing),
    refresh: () => undefined,
    text: () => input,
    setText: (text: string) => {
      input = text;
    },
    rows: () => rows,
  };
  const theme = themeOf({ NO_COLOR: "1" });
  const questions = new ApprovalQuestions({ screen, theme, isBackground: () => background, quiet });
  const live = (): string => questions.draw(80).join("\n");
  return {
    questions,
    live,
    input: () => input,
    scrollback: () => finished.flatMap((drawing) => drawing(80)).join("\n"),
    type(text) {
      for (const character of text) if (!questions.typed(character)) input += character;
    },
    async ask(request = {}, signal = new AbortController().signal) {
      const answer = questions.queue.askAbout(approvalRequest(request), signal).catch(String);
      await eventually(() => questions.isOpen || signal.aborted);
      return { answer };
    },
  };
}

describe("a question is answered", () => {
  const answers: readonly (readonly [key: string, answer: ApprovalAnswer])[] = [
    ["y", { answer: "once" }],
    ["Y", { answer: "once" }],
    ["s", { answer: "session" }],
    ["a", { answer: "always" }],
    ["p", { answer: "prefix" }],
    ["e", { answer: "edits" }],
  ];

  test.each(answers)("by %s", async (key, answer) => {
    const { ask, type, input } = desk();
    const asked = await ask({ prefix: "bash(git status *)", offersEdits: true });
    type(key);
    expect(await asked.answer).toStrictEqual(answer);
    expect(input()).toBe("");
  });

  test("a prefix and all edits are offered where the question says what they allow, and p and e are text elsewhere", async () => {
    const { ask, type, input, live, questions } = desk();
    await ask();
    expect(live()).not.toMatch(/prefix|edits/);
    type("pe");
    expect(input()).toBe("pe");
    const other = desk();
    await other.ask({ prefix: "bash(git status *)", offersEdits: true });
    await eventually(() => expect(other.live()).toContain("y once"));
    expect(other.live()).toContain('"This prefix" allows bash(git status *) in this session');
    expect(other.live()).toContain('"All edits" lets tools write in the workspace, in this session (mode edits)');
    expect(other.live()).toContain("y once · s this session · p this prefix · e all edits · a always · n no");
    other.type("p");
    await eventually(() => !other.questions.isOpen);
    expect(other.questions.queue.grants).toStrictEqual([{ pattern: "bash(git status *)", answer: "session" }]);
    questions.stop();
  });

  test("by n and Enter, and with the reason in the input", async () => {
    for (const [reason, answer] of [
      ["", { answer: "no" }],
      ["  use git instead ", { answer: "no", reason: "use git instead" }],
    ] as const) {
      const { ask, type, input, live, questions } = desk();
      const asked = await ask();
      type("n");
      await eventually(() => expect(live()).toContain("what should the model know"));
      type(reason);
      expect(questions.enter()).toBe(true);
      expect(await asked.answer).toStrictEqual(answer);
      expect(input()).toBe("");
    }
  });

  test("with no by Esc, also while a reason is typed", async () => {
    const { ask, type, input, live, questions } = desk();
    const first = await ask();
    expect(questions.dismiss()).toBe(true);
    expect(await first.answer).toStrictEqual({ answer: "no" });
    const second = await ask();
    type("n");
    await eventually(() => expect(live()).toContain("what should the model know"));
    type("because");
    questions.dismiss();
    expect(await second.answer).toStrictEqual({ answer: "no" });
    expect([input(), questions.isOpen, questions.dismiss(), questions.enter()]).toStrictEqual([
      "",
      false,
      false,
      false,
    ]);
  });

  test("at once by a key and Enter", async () => {
    const { ask, type, questions, live } = desk({ quiet: 30 });
    const asked = await ask();
    await eventually(() => expect(live()).toContain("y once"));
    type("y");
    expect(questions.enter()).toBe(true);
    expect(await asked.answer).toStrictEqual({ answer: "once" });
  });
});

describe("who types does not answer", () => {
  test("a question that has just appeared: the keys go to the input", async () => {
    const { ask, type, input, live, questions } = desk({ quiet: NEVER });
    await ask();
    expect(live()).toContain("One moment");
    expect(live()).not.toContain("y once");
    type("yes");
    expect([input(), questions.isOpen, questions.enter()]).toStrictEqual(["yes", true, false]);
    questions.stop();
  });

  test("where a text follows the first letter, all of it is in the input", async () => {
    const { ask, type, input, questions } = desk();
    await ask();
    type("yes, and say hello");
    expect(input()).toBe("yes, and say hello");
    await Bun.sleep(20);
    expect(questions.isOpen).toBe(true);
  });

  test("while the input is not empty, until Tab sets the text aside; it returns after the last question", async () => {
    const { ask, type, input, live } = desk({ draft: "half a thought" });
    const first = await ask();
    const second = await ask({ toolCallId: "c2", toolName: "write_file" });
    expect(live()).toContain("Tab sets aside what you typed");
    type("y");
    expect(input()).toBe("half a thoughty");
    type("\t");
    expect(input()).toBe("");
    await eventually(() => expect(live()).toContain("y once"));
    type("y");
    expect(await first.answer).toStrictEqual({ answer: "once" });
    expect(input()).toBe("");
    await eventually(() => expect(live()).toContain("y once"));
    type("s");
    expect(await second.answer).toStrictEqual({ answer: "session" });
    expect(input()).toBe("half a thoughty");
  });

  test("by what is pasted, or by a key that types nothing", async () => {
    const { ask, questions } = desk();
    await ask();
    expect(questions.typed(undefined)).toBe(false);
    await Bun.sleep(10);
    expect(questions.isOpen).toBe(true);
  });

  test("where nothing is asked, every key is for the input", () => {
    const { type, input } = desk();
    type("yes\tno");
    expect(input()).toBe("yes\tno");
  });
});

describe("several questions", () => {
  test("are asked one at a time, in their order", async () => {
    const { ask, type, live, questions } = desk();
    const all = await Promise.all(["one", "two", "three"].map((toolName) => ask({ toolName })));
    expect(live()).toMatch(/^\? one wants[\s\S]*\(2 more questions after it\)$/);
    const given: unknown[] = [];
    for (const [at, key] of ["y", "s", "a"].entries()) {
      await eventually(() => expect(live()).toContain("y once"));
      type(key);
      given.push(await all[at]?.answer);
    }
    expect(given).toStrictEqual([{ answer: "once" }, { answer: "session" }, { answer: "always" }]);
    expect([live(), questions.isOpen]).toStrictEqual(["", false]);
    expect(questions.queue.grants).toStrictEqual([
      { pattern: "bash(true)", answer: "session" },
      { pattern: "bash(true)", answer: "always" },
    ]);
  });

  test("are taken back with their prompt, and the next one is asked", async () => {
    const { ask, live, questions } = desk();
    const controller = new AbortController();
    const mine = await ask({ toolName: "mine" }, controller.signal);
    const waiting = await ask({ toolName: "waiting" }, controller.signal);
    const other = await ask({ toolName: "other" });
    controller.abort(new Error("stopped"));
    expect([await mine.answer, await waiting.answer]).toStrictEqual(["Error: stopped", "Error: stopped"]);
    await eventually(() => expect(live()).toStartWith("? other wants"));
    questions.dismiss();
    expect(await other.answer).toStrictEqual({ answer: "no" });
  });

  test("of a prompt that is stopped already are not asked", async () => {
    const { ask, questions } = desk();
    const asked = await ask({}, AbortSignal.abort(new Error("stopped")));
    expect(await asked.answer).toBe("Error: stopped");
    expect(questions.isOpen).toBe(false);
  });
});

describe("what is asked", () => {
  test("is shown above the input with its reason and pattern, and stays in the scrollback when it is answered", async () => {
    const { ask, live, scrollback, questions } = desk();
    await ask();
    const whole = [
      "? bash wants to run this command",
      "  │ true",
      "  Why: runs a shell command outside a sandbox",
      '  "This session" and "always" allow bash(true)',
    ].join("\n");
    await eventually(() => expect(live()).toBe(`${whole}\ny once · s this session · a always · n no`));
    expect(scrollback()).toBe("");
    questions.dismiss();
    expect([live(), scrollback()]).toStrictEqual(["", `${whole}\n`]);
  });

  test("goes into the scrollback whole where it does not fit above the input", async () => {
    const { ask, live, scrollback } = desk({ rows: 10 });
    const command = Array.from({ length: 500 }, (_, at) => `echo ${at}`).join("\n");
    await ask({ args: { command }, access: { kind: "command", command } });
    expect(live()).toStartWith("? bash wants to run this command (shown above)\n");
    expect(scrollback().match(/│ echo \d+$/gm)).toHaveLength(500);
  });

  test("is marked where no user sent its prompt", async () => {
    const { ask, live } = desk({ background: true });
    await ask();
    expect(live()).toStartWith("(in the background) ? bash wants to run this command\n");
  });

  test("may be a long diff; v shows its rest, once", async () => {
    const { ask, type, live, scrollback, input, questions } = desk({ rows: 500 });
    const args = { path: "x", content: "line\n".repeat(300) };
    await ask({ toolName: "write_file", args, access: { kind: "write", path: "/nowhere/at/all" } });
    await eventually(() => expect(live()).toContain("v view the rest"));
    expect(live()).toContain("101 more lines of the difference");
    type("v");
    await eventually(() => expect(live()).not.toContain("v view"));
    expect(scrollback().match(/│ \+ line$/gm)).toHaveLength(300);
    type("v");
    expect([input(), questions.isOpen]).toStrictEqual(["v", true]);
  });
});
