import { describe, expect, test } from "bun:test";
import type { ApprovalAnswer, ApprovalRequest } from "@mdx-ai/loop";
import { approvalRequest } from "../../../../test/support/approval-request.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { themeOf } from "../output/theme.ts";
import { NumberedQuestions } from "./plain/numbered-questions.ts";

/** So long that no test sees its end. */
const NEVER = 1_000_000;

function desk({ quiet = -1 } = {}) {
  const lines: string[] = [];
  const questions = new NumberedQuestions({
    theme: themeOf({ NO_COLOR: "1", LC_ALL: "C" }),
    write: (drawing) => void lines.push(...drawing(80)),
    isBackground: () => false,
    onOpen: () => {},
    quiet,
  });
  const ask = async (
    request: Partial<ApprovalRequest> = {},
    signal = new AbortController().signal,
  ): Promise<{ readonly answer: Promise<ApprovalAnswer | string> }> => {
    const answer = questions.queue.askAbout(approvalRequest(request), signal).catch(String);
    await eventually(() => questions.isOpen);
    return { answer };
  };
  return { questions, lines, ask };
}

const WIDE = { prefix: "bash(git status *)", offersEdits: true };

describe("a question in lines", () => {
  test("shows what would run, why, what each answer allows, and a number for each", async () => {
    const { ask, lines, questions } = desk();
    await ask(WIDE);
    expect(lines).toStrictEqual([
      "Question: bash wants to run this command",
      "  | true",
      "Why: runs a shell command outside a sandbox",
      '"This session" and "always" allow bash(true)',
      '"This prefix" allows bash(git status *) in this session',
      '"All edits" lets tools write in the workspace, in this session (mode edits)',
      "1. once",
      "2. this session",
      "3. this prefix",
      "4. all edits",
      "5. always",
      "6. no (6 REASON says why)",
      "Answer with a number:",
    ]);
    questions.dismiss();
  });

  test.each<[line: string, answer: ApprovalAnswer]>([
    ["1", { answer: "once" }],
    [" 2 ", { answer: "session" }],
    ["3", { answer: "prefix" }],
    ["4", { answer: "edits" }],
    ["5", { answer: "always" }],
    ["6", { answer: "no" }],
    ["6 use git instead", { answer: "no", reason: "use git instead" }],
  ])("%j answers it", async (line, answer) => {
    const { ask, questions } = desk();
    const asked = await ask(WIDE);
    expect(questions.typed(line)).toBe(true);
    expect(await asked.answer).toStrictEqual(answer);
    expect(questions.isOpen).toBe(false);
  });

  test.each(["", "0", "7", "yes", "y", "1.5"])("%j does not, and is asked for again", async (line) => {
    const { ask, questions, lines } = desk();
    await ask(WIDE);
    expect(questions.typed(line)).toBe(true);
    expect(questions.isOpen).toBe(true);
    expect(lines.at(-1)).toBe("Answer with a number from 1 to 6:");
    questions.dismiss();
  });

  test("what was typed before it could be read is no answer: a number is asked for again, a text is input", async () => {
    const { ask, questions, lines } = desk({ quiet: NEVER });
    await ask();
    expect(questions.typed("1")).toBe(true);
    expect(lines.at(-1)).toBe("The question had only just been asked. Answer with a number from 1 to 4:");
    expect(questions.typed("and then test it")).toBe(false);
    expect(questions.isOpen).toBe(true);
    questions.dismiss();
  });

  test("questions come one after the other; one that is withdrawn says so", async () => {
    const { ask, questions, lines } = desk();
    const controller = new AbortController();
    const first = await ask({}, controller.signal);
    const second = await ask({ access: { kind: "command", command: "second" } });
    await Bun.sleep(1);
    expect(lines.filter((line) => line.startsWith("Question"))).toHaveLength(1);
    controller.abort(new Error("stopped"));
    expect(await first.answer).toBe("Error: stopped");
    expect(lines).toContain("The question was withdrawn.");
    questions.typed("2");
    expect(await second.answer).toStrictEqual({ answer: "session" });
    expect(questions.queue.grants).toStrictEqual([{ pattern: "bash(true)", answer: "session" }]);
  });
});
