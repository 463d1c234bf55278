import { expect, test } from "bun:test";
import { eventOrderProblem } from "../../../../test/support/event-order.ts";
import { flushed, plain, replayed } from "../../../../test/support/golden-hosts.ts";
import { CORPUS } from "../../../../test/support/prompt-corpus.ts";

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each(CORPUS)(
  "a prompt with %s is finished with the same transcript by a later process, after whichever line the journal was cut",
  async (_name, prompt) => {
    const whole = await flushed(prompt, { keepsAnswers: true });
    expect(whole.lines.length).toBeGreaterThan(5);
    for (let count = 1; count < whole.lines.length; count++) {
      const cut = await flushed(prompt, { earlier: whole.lines.slice(0, count), keepsAnswers: true });
      expect(json(cut.transcript)).toStrictEqual(json(whole.transcript));
      expect(eventOrderProblem(cut.events)).toBeUndefined();
      expect(plain(await replayed(cut.lines))).toStrictEqual(plain(cut.events));
    }
  },
);
