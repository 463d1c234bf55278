import { describe, expect, test } from "bun:test";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import type { Checkpoint, CheckpointFile } from "@mdx-ai/sessions";
import type { Asked } from "../approval/approval-content.ts";
import type { Chosen, ListQuestion } from "./list-questions.ts";
import { runRewind } from "./undo-command.ts";

const file = (path: string, state: CheckpointFile["state"] = "restorable"): CheckpointFile => ({ path, state });
const checkpoints: readonly Checkpoint[] = [
  { prompt: 1, input: "say one", files: [], commands: [] },
  {
    prompt: 2,
    input: "say two\nagain",
    files: [file("/w/a"), file("/w/b"), file("/w/d", "changed_since"), file("/w/e", "not_kept")],
    commands: [],
  },
  { prompt: 4, input: "say four", files: [file("/w/b"), file("/w/c")], commands: ["make all"] },
];

interface RewindCase {
  readonly prompts?: readonly Checkpoint[];
  readonly chosen?: Chosen;
  readonly answer?: ApprovalAnswer["answer"];
}

/** Runs `/rewind`: what was shown and asked, and what the agent was told to do. */
async function ran(words: string, { prompts = checkpoints, chosen, answer = "once" }: RewindCase = {}) {
  const lists: ListQuestion[] = [];
  const asked: Asked[] = [];
  const calls: unknown[] = [];
  const session: Pick<Session, "undo" | "rewind" | "checkpoints"> = {
    checkpoints: async () => prompts,
    undo: async () => undefined,
    rewind: async (prompt, options) => {
      calls.push([prompt, options]);
      return { to: prompt - 1, input: "say it", files: [], commands: [] };
    },
  };
  const retyped: string[] = [];
  const text = await runRewind(
    words,
    { session, folder: "/w", retype: (input) => retyped.push(input) },
    {
      choose: async (question) => {
        lists.push(question);
        return chosen;
      },
      ask: async (question) => {
        asked.push(question);
        return { answer };
      },
    },
  );
  return { text, lists, asked, calls, retyped };
}

describe("/rewind", () => {
  test("offers the prompts, the newest first, each with how many files it changed", async () => {
    const { lists, text, calls } = await ran("");
    expect(lists[0]?.choices.map(({ title, details }) => [title, details])).toStrictEqual([
      ["4  say four", "2 files, 1 command"],
      ["2  say two again", "4 files"],
      ["1  say one", "no files"],
    ]);
    expect([text, calls]).toStrictEqual(["Nothing was undone.", []]);
  });

  test("shows which files the chosen one restores, and takes it back after a yes", async () => {
    const { asked, calls, text, retyped } = await ran("", { chosen: { type: "picked", index: 1 } });
    expect(asked[0]?.content.title).toBe("Undo prompt 2 and the 1 prompt after it?");
    expect(asked[0]?.content.lines.map((line) => line.text)).toStrictEqual([
      "restores  a",
      "restores  b",
      "restores  c",
      "leaves    d (has changed since)",
      "leaves    e (its earlier content was not kept)",
      "leaves    what a command changed: make all",
    ]);
    expect(calls).toStrictEqual([[2, { force: false }]]);
    expect(text).toStartWith("Undone: say it;");
    expect(retyped).toStrictEqual(["say it"]);
  });

  test("shows that a file is removed which did not exist before the first of its prompts", async () => {
    const isNew = true as const;
    const prompts = [
      { prompt: 1, input: "one", files: [{ ...file("/w/new"), isNew }, file("/w/old")], commands: [] },
      {
        prompt: 2,
        input: "two",
        files: [file("/w/new"), { ...file("/w/now", "changed_since"), isNew }],
        commands: [],
      },
    ];
    const shown = async (index: number) =>
      (await ran("", { prompts, chosen: { type: "picked", index } })).asked[0]?.content.lines.map((line) => line.text);
    expect(await shown(1)).toStrictEqual(["removes   new", "leaves    now (has changed since)", "restores  old"]);
    expect(await shown(0)).toStrictEqual(["restores  new", "leaves    now (has changed since)"]);
  });

  test("offers to restore files that have changed since, and only where there are some", async () => {
    const { asked, calls } = await ran("", { chosen: { type: "picked", index: 1 }, answer: "always" });
    expect(asked[0]?.keys.map(({ key, meaning }) => `${key} ${meaning}`)).toStrictEqual([
      ...["y undo", "f also files that have changed since", "n no"],
    ]);
    expect(calls).toStrictEqual([[2, { force: true }]]);
    const others = await ran("", { chosen: { type: "picked", index: 0 } });
    expect(others.asked[0]?.keys.map(({ key }) => key)).toStrictEqual(["y", "n"]);
  });

  test("takes nothing back after a no", async () => {
    const { text, calls } = await ran("", { chosen: { type: "picked", index: 0 }, answer: "no" });
    expect([text, calls]).toStrictEqual(["Nothing was undone.", []]);
  });

  test.each([
    ["2", [[2, { force: false }]], "Undone"],
    ["2 force", [[2, { force: true }]], "Undone"],
    ["3", [], "This session has no prompt 3; /rewind list shows"],
    ["list", [], "  1  say one\n  2  say two again\n       a\n"],
    ["soon", [], "/rewind N undoes"],
  ])("%s asks nothing", async (words, expected, text) => {
    const done = await ran(words);
    expect(done).toMatchObject({ calls: expected, lists: [], asked: [] });
    expect(done.text).toStartWith(text);
  });

  test.each(["", "list"])("%j has nothing to take back in a new session", async (words) => {
    expect(await ran(words, { prompts: [] })).toMatchObject({ text: "There is no prompt to undo.", lists: [] });
  });
});
