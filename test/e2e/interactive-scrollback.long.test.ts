import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { openInteractive } from "../support/interactive-session.ts";
import { lettersOf, type RandomAnswer, randomAnswer } from "../support/random-answers.ts";
import { randomCases } from "../support/random-cases.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

setDefaultTimeout(120_000);

const SHAPES = 20;
const SIZES: readonly (readonly [columns: number, rows: number])[] = [
  [80, 24],
  [120, 40],
  [60, 15],
  [40, 10],
];
/** Sizes of a terminal that is resized: of a smaller one, the program never sees what no longer fits. */
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
    await using run = await openInteractive({ replies: answers.map((answer, at) => replyOf(answer, at, 15)) });
    let next = 0;
    await sendAll(run.terminal, answers, async () => {
      next += 1;
      await Bun.sleep(next * 15);
      const [columns, rows] = RESIZED[next % RESIZED.length] ?? [80, 24];
      await run.terminal.resize(columns, rows);
      // The program learns of a second change only after a quarter of a second.
      await Bun.sleep(300);
    });
    expect(turnsIn(await run.terminal.history())).toEqual(expected(answers));
  });
});
