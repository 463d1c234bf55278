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
/** Milliseconds between pieces of an answer. */
const PAUSE = 4;

/** The answer in pieces, so that it is drawn many times while it arrives. */
function replyOf({ markdown }: RandomAnswer, at: number): Reply {
  const size = Math.ceil(markdown.length / 40) + at;
  return { deltas: markdown.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [], deltaDelay: PAUSE };
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
const turnsIn = (history: string): readonly string[] => history.split(/^> prompt /m).slice(1).map(lettersOf);

const expected = (answers: readonly RandomAnswer[]): readonly string[] =>
  answers.map(({ seen }, at) => `${at}${seen}`);

describe.skipIf(requireProgram("tmux"))("the scrollback", () => {
  const answers = fc.sample(randomAnswer, { ...randomCases(SHAPES) });

  test.each(SIZES)("has each line of an answer once, at %d×%d", async (columns, rows) => {
    await using run = await openInteractive({ replies: answers.map(replyOf), columns, rows });
    await sendAll(run.terminal, answers, async () => {});
    expect(turnsIn(await run.terminal.history())).toEqual(expected(answers));
  });

  test("has each line of an answer once when the terminal changes its size", async () => {
    await using run = await openInteractive({ replies: answers.map(replyOf) });
    let next = 0;
    await sendAll(run.terminal, answers, async () => {
      for (let times = 0; times < 2; times += 1) {
        await Bun.sleep(40);
        const [columns, rows] = SIZES[(next += 1) % SIZES.length] ?? [80, 24];
        await run.terminal.resize(columns, rows);
      }
    });
    expect(turnsIn(await run.terminal.history())).toEqual(expected(answers));
  });
});
