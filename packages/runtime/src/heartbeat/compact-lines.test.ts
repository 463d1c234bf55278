import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COSTLESS, DAY, HeartbeatBench, MINUTE } from "../../../../test/support/heartbeat-bench.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { compacted } from "./compact-lines.ts";
import { type HeartbeatLine, readHeartbeatLine } from "./heartbeat-record.ts";
import { stateOf } from "./heartbeat-state.ts";
import { LineFileStore } from "./line-file-store.ts";

const HEARTBEAT = `@every: 40m
@limit: day tokens=500

## Routine Tasks

- Every day at 09:00: Summary
  @notify: session main
- Every 25 minutes: Look
`;

/** The lines of some days with failures, limits, gates, pauses, questions and kills. */
async function eventfulLines(): Promise<readonly HeartbeatLine[]> {
  const bench = new HeartbeatBench(HEARTBEAT, "2026-11-21T08:00:00.000Z");
  let count = 0;
  bench.answer = () => {
    count += 1;
    if (count % 11 === 0) return undefined;
    if (count % 5 === 0) return { ...COSTLESS, outcome: "error", reason: "away" };
    return { ...COSTLESS, tokens: 40, state: { count } };
  };
  for (let start = 0; start < 6; start++) {
    const process = bench.start();
    await bench.pass(DAY / 3, 5 * MINUTE);
    const other = bench.lines.open();
    const at = new Date(bench.clock.now()).toISOString();
    other.append([
      { type: start % 2 === 0 ? "paused" : "resumed", at },
      { type: "asked", at, task: "Look" },
    ]);
    other.append([
      { type: "planned", at, task: `m: ${start}`, plan: { times: [{ type: "interval", milliseconds: 5 }] } },
    ]);
    if (start === 3) other.append([{ type: "forgotten", at, task: "m: 1" }]);
    process.kill();
    bench.clock.pass(2 * MINUTE);
  }
  return bench.lines.all;
}

test("the lines that remain lead to the same state, wherever the older ones end", async () => {
  const lines = await eventfulLines();
  const state = stateOf(lines);
  expect(new Set(lines.map(({ type }) => type)).size).toBeGreaterThan(6);
  for (let kept = 0; kept <= lines.length; kept++) {
    const read = compacted(lines, kept).map((line) => readHeartbeatLine(JSON.stringify(line)));
    expect(read).not.toContain(undefined);
    expect(stateOf(read.filter((line) => line !== undefined))).toEqual(state);
  }
});

test("a file that has grown is compacted, while another process reads and appends", async () => {
  const lines = await eventfulLines();
  using folder = temporaryDirectory();
  const store = new LineFileStore(folder.path, { maxSize: 10_000, kept: 50 });
  const other = new LineFileStore(folder.path);
  store.append(lines);
  expect(other.take()).toHaveLength(lines.length);
  const at = "2026-11-30T00:00:00.000Z";
  const asking = other.appendBeside([{ type: "asked", at, task: "Look" }]);
  store.compact();
  await asking;
  store.compact();
  const text = readFileSync(join(folder.path, "state/heartbeat.jsonl"), "utf8");
  expect(text.length).toBeLessThan(20_000);
  expect(stateOf(store.take(true)).tasks.get("Look")?.isAsked).toBe(true);
  expect(stateOf(store.take(true))).toEqual(stateOf([...lines, { type: "asked", at, task: "Look" }]));
  expect(other.take().length).toBeGreaterThan(50);
  store.append([{ type: "paused", at }]);
  expect([store.take(), other.take()]).toEqual([[], [{ type: "paused", at }]]);
  expect([store.take(), other.take()]).toEqual([[], []]);
});
