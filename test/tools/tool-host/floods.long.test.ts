import { afterAll, describe, expect, test } from "bun:test";
import { openToolBench, toolDoing } from "../../support/tool-bench.ts";

const bench = openToolBench();
afterAll(() => bench[Symbol.asyncDispose]());

/** Milliseconds that only a broken program or a very busy machine needs. */
const DEADLINE = 60_000;

/** Writes a line to a descriptor, as often and as fast as the system takes it. */
const flooding = (descriptor: number, line: string): string => `
  const part = Buffer.alloc(2 ** 18, ${line});
  const length = part.lastIndexOf("\\n") + 1;
  for (let start = 0; ; start %= length) {
    try { start += require("node:fs").writeSync(${descriptor}, part, start, length - start); } catch {}
  }`;

/** The message of the open call: a new bench counts from 1, and a process serves one call here. */
const message = (fields: string): string => `JSON.stringify({ id: params.well, ${fields} }) + "\\n"`;

const floods = [
  ["its standard output with empty lines", 1, '"\\n"'],
  ["its standard output with short lines", 1, '"y\\n"'],
  ["its standard error with short lines", 2, '"y\\n"'],
  ["the channel with what is no message", 3, '"1\\n"'],
  ["the channel with lines for the log", 3, message('type: "log", line: "x"')],
  ["the channel with partial results", 3, message('type: "update", partial: { content: [] }')],
] as const;

/** How long this process worked at most between two turns of a timer: in its own time, so that a busy machine adds nothing. */
function longestTurn(): Disposable & { milliseconds(): number } {
  let [last, longest] = [process.cpuUsage(), 0];
  const turn = (): number => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
    return longest;
  };
  const timer = setInterval(turn, 10);
  return { milliseconds: turn, [Symbol.dispose]: () => clearInterval(timer) };
}

describe("a tool that floods", () => {
  test.each(floods)(
    "%s leaves its agent time for all else, and ends at its time-out",
    async (_what, descriptor, line) => {
      await using own = openToolBench();
      using longest = longestTurn();
      // Several at once write faster than one program reads.
      const calls = [1, 2, 3, 4].map((id) =>
        own.run(toolDoing(flooding(descriptor, line), { timeout: 1 }), { well: id }, own.context()),
      );
      const results = await Promise.all(calls);
      for (const result of results) {
        expect(result).toMatchObject({ isError: true, text: expect.stringContaining("timed out after 1 second") });
      }
      // Some 35; where a flood leaves no time for all else, 500 to 2,000.
      expect(longest.milliseconds()).toBeLessThan(250);
    },
    DEADLINE,
  );

  test("partial results has no more of them shown than a process sends by itself", async () => {
    await using own = openToolBench();
    let updates = 0;
    const update = (): void => {
      updates += 1;
    };
    const start = performance.now();
    const line = message('type: "update", partial: { content: [] }');
    await own.run(toolDoing(flooding(3, line), { timeout: 1 }), { well: 1 }, { ...own.context(), update });
    expect(updates).toBeGreaterThan(1);
    expect(updates).toBeLessThanOrEqual(2 + (performance.now() - start) / 25);
  });

  test("the log with long lines has them cut", async () => {
    await using own = openToolBench();
    const context = own.context();
    const line = message('type: "log", line: "x".repeat(100_000)');
    await own.run(toolDoing(`require("node:fs").writeSync(3, ${line}); await Bun.sleep(200)`), { well: 1 }, context);
    expect(context.lines.map((logged) => logged.length)).toStrictEqual([8_000]);
  });

  test("its log and returns has its result, which comes after more messages than are received in one turn", async () => {
    const context = bench.context();
    const body = "for (let line = 0; line < 900; line++) ctx.log('line ' + line); return 'done'";
    expect((await bench.run(toolDoing(body), {}, context)).text).toBe("done");
    expect(context.lines).toStrictEqual(Array.from({ length: 900 }, (_, line) => `line ${line}`));
  });
});
