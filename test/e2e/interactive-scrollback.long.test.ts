import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openInteractive } from "../support/interactive-session.ts";
import { lettersOf, type RandomAnswer, randomAnswer } from "../support/random-answers.ts";
import { randomCases } from "../support/random-cases.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

const SHAPES = 20;
const SIZES: readonly (readonly [columns: number, rows: number])[] = [
  [80, 24],
  [120, 40],
  [60, 15],
  [40, 10],
];
/** Sizes of a terminal that is resized. */
const RESIZED: typeof SIZES = [
  [100, 30],
  [70, 20],
  [90, 24],
  [60, 18],
];

/** The answer in pieces, so that it is drawn many times while it arrives. */
function replyOf({ markdown }: RandomAnswer, at: number, deltaDelay: number): Reply {
  const size = Math.ceil(markdown.length / 30) + at;
  return { deltas: markdown.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [], deltaDelay };
}

/** Sends `prompt N` for each answer, and waits for its end. */
async function sendAll(terminal: TmuxTerminal, answers: readonly RandomAnswer[], during: () => Promise<void>) {
  for (const at of answers.keys()) {
    await terminal.type(`prompt ${at}`);
    await terminal.press("Enter");
    await terminal.waitForHistory((text) => text.includes(`> prompt ${at}\n`));
    await during();
    await terminal.waitFor((screen) => /^>$/m.test(screen) && !/Esc stops/.test(screen));
  }
}

/** The scrollback from the first prompt on, each prompt with what follows it. */
const turnsIn = (history: string): readonly string[] =>
  history
    .split(/^> prompt /m)
    .slice(1)
    .map(lettersOf);

const expected = (answers: readonly RandomAnswer[]): readonly string[] => answers.map(({ seen }, at) => `${at}${seen}`);

describe.skipIf(requireProgram("tmux"))("the scrollback", () => {
  const answers = fc.sample(randomAnswer, { ...randomCases(SHAPES) });

  test.each(SIZES)("has each line of an answer once, at %d×%d", async (columns, rows) => {
    await using run = await openInteractive({
      replies: answers.map((answer, at) => replyOf(answer, at, 4)),
      columns,
      rows,
    });
    await sendAll(run.terminal, answers, async () => {});
    expect(turnsIn(await run.terminal.history())).toEqual(expected(answers));
  });

  test("has each line of an answer once when the terminal changes its size", async () => {
    const some = answers.slice(0, SHAPES);
    await using run = await openInteractive({ replies: some.map((answer, at) => replyOf(answer, at, 15)) });
    let next = 0;
    await sendAll(run.terminal, some, async () => {
      next += 1;
      await Bun.sleep(next * 15);
      const [columns, rows] = RESIZED[next % RESIZED.length] ?? [80, 24];
      await run.terminal.resize(columns, rows);
    });
    expect(turnsIn(await run.terminal.history())).toEqual(expected(some));
  });

  // tmux reports a second change only after a quarter of a second.
  test.each<[string, typeof SIZES]>([
    ["at once becomes much smaller", [[50, 12]]],
    ["is dragged smaller", Array.from({ length: 15 }, (_, at) => [100 - at * 3, 30 - at] as const)],
  ])("has each line once when the terminal %s", async (_how, sizes) => {
    const few = answers.slice(0, 6);
    const options = { replies: few.map((answer, at) => replyOf(answer, at, 15)), columns: 100, rows: 40 };
    await using run = await openInteractive(options);
    await sendAll(run.terminal, few, async () => {
      await run.terminal.resize(100, 40);
      for (const [columns, rows] of sizes) {
        await run.terminal.resize(columns, rows);
        await Bun.sleep(30);
      }
    });
    expect(turnsIn(await run.terminal.history())).toEqual(expected(few));
  });

  test.each<readonly [columns: number, rows: number]>([
    [40, 15],
    [100, 15],
    [100, 29],
  ])("keeps the last line when an idle terminal gets lower, %d×%d", async (columns, rows) => {
    const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
    const replies = [{ text: lines.join("\n\n") }];
    await using run = await openInteractive({ replies, settings: "statusbar: full\n", columns: 100, rows: 30 });
    await run.terminal.type("go");
    await run.terminal.press("Enter");
    await run.terminal.waitFor("line 12");
    await run.terminal.resize(columns, rows);
    await Bun.sleep(600);
    await run.terminal.type("more");
    await run.terminal.waitFor(/^> more$/m);
    const seen = (await run.terminal.history()).matchAll(/^line \d+$/gm);
    expect(Array.from(seen, ([line]) => line)).toEqual(lines);
  });

  test.each<[string, typeof SIZES]>([
    ["at once", [[60, 12]]],
    [
      "twice",
      [
        [80, 30],
        [40, 10],
      ],
    ],
  ])("has an open question and the model's list once when the terminal shrinks %s", async (_how, sizes) => {
    const items = Array.from({ length: 8 }, (_, at) => ({
      text: `step ${at}`,
      status: at === 0 ? "active" : "pending",
    }));
    const content = Array.from({ length: 40 }, (_, at) => `written line ${at}`).join("\n");
    await using run = await openInteractive({
      settings: "statusbar: full\n",
      files: {
        "agent.mdx": `---\nbuiltins: coding\npermissions: {write_file: ask}\n---\n# Agent: A\n\n## Purpose\n\nHelps.\n`,
      },
      replies: [
        { text: "said before", calls: [{ id: "1", name: "todo", arguments: { items } }] },
        { calls: [{ id: "2", name: "write_file", arguments: { path: "a.txt", content } }] },
        { text: "finished" },
      ],
      ...{ columns: 100, rows: 40 },
    });
    const { terminal } = run;
    await terminal.type("go");
    await terminal.press("Enter");
    await terminal.waitFor("y once");
    for (const [columns, rows] of sizes) {
      await terminal.resize(columns, rows);
      await Bun.sleep(60);
    }
    await terminal.type("y");
    await terminal.waitFor("finished");
    const history = await terminal.history();
    const counts = ["said before", "written line 7\n", "y once", "step 2", "finished"].map(
      (text) => history.split(text).length - 1,
    );
    expect([...counts, history.match(/^>$/gm)?.length]).toEqual([1, 1, 0, 0, 1, 1]);
  });
});
