import { describe, expect, test } from "bun:test";
import type { Agent, Checkpoint } from "@mdx-ai/runtime";
import type { Asked } from "../../support/cli/approval.ts";
import { type Chosen, type ListQuestion, runRewind } from "../../support/cli/terminal.ts";

const file = (path: string, isCertain = true) => ({ path, isCertain });
const checkpoints: readonly Checkpoint[] = [
  { prompt: 1, input: "say one", files: [], isWhole: true },
  { prompt: 2, input: "say two\nagain", files: [file("/w/a"), file("/w/b")], isWhole: true },
  { prompt: 4, input: "say four", files: [file("/w/b", false)], isWhole: false },
];

interface RewindCase {
  readonly prompts?: readonly Checkpoint[];
  readonly chosen?: Chosen;
  readonly answer?: boolean;
}

/** Runs `/rewind`: what was shown and asked, and what the agent was told to do. */
async function ran(words: string, { prompts = checkpoints, chosen, answer = true }: RewindCase = {}) {
  const lists: ListQuestion[] = [];
  const asked: Asked[] = [];
  const calls: unknown[] = [];
  const agent: Pick<Agent, "undo" | "rewind" | "checkpoints"> = {
    checkpoints: async () => prompts,
    undo: async () => undefined,
    rewind: async (prompt, session, options) => {
      calls.push([prompt, session, options]);
      return { to: prompt - 1, input: "say it", files: [], isWhole: true };
    },
  };
  const retyped: string[] = [];
  const text = await runRewind(
    words,
    { agent, session: "main", folder: "/w", retype: (input) => retyped.push(input) },
    {
      choose: async (question) => {
        lists.push(question);
        return chosen;
      },
      confirm: async (question) => {
        asked.push(question);
        return answer;
      },
    },
  );
  return { text, lists, asked, calls, retyped };
}

describe("/rewind", () => {
  test("offers the prompts, the newest first, each with how many files it changed", async () => {
    const { lists, text, calls } = await ran("");
    expect(lists[0]?.choices.map(({ title, details }) => [title, details])).toStrictEqual([
      ["4  say four", "1 file, others unknown"],
      ["2  say two again", "2 files"],
      ["1  say one", "no files"],
    ]);
    expect([text, calls]).toStrictEqual(["Nothing is taken back.", []]);
  });

  test("shows which files the chosen one restores, and takes it back after a yes", async () => {
    const { asked, calls, text, retyped } = await ran("", { chosen: { type: "picked", index: 1 } });
    expect(asked[0]?.content.title).toBe("Take back prompt 2 and the 1 prompt after it?");
    expect(asked[0]?.content.lines.map((line) => line.text)).toStrictEqual([
      "restores  a",
      "leaves    b (changed while a command ran)",
      "other files may have changed, which is not recorded",
    ]);
    expect(calls).toStrictEqual([[2, "main", { force: false }]]);
    expect(text).toStartWith("Taken back: say it;");
    expect(retyped).toStrictEqual(["say it"]);
  });

  test("takes nothing back after a no", async () => {
    const { text, calls } = await ran("", { chosen: { type: "picked", index: 0 }, answer: false });
    expect([text, calls]).toStrictEqual(["Nothing is taken back.", []]);
  });

  test.each([
    ["2", [[2, "main", { force: false }]], "Taken back"],
    ["2 force", [[2, "main", { force: true }]], "Taken back"],
    ["3", [], "This session has no prompt 3; /rewind list shows"],
    ["list", [], "  1  say one\n  2  say two again\n       a\n"],
    ["soon", [], "/rewind N takes back"],
  ])("%s asks nothing", async (words, expected, text) => {
    const done = await ran(words);
    expect(done).toMatchObject({ calls: expected, lists: [], asked: [] });
    expect(done.text).toStartWith(text);
  });

  test.each(["", "list"])("%j has nothing to take back in a new session", async (words) => {
    expect(await ran(words, { prompts: [] })).toMatchObject({ text: "There is no prompt to take back.", lists: [] });
  });
});
