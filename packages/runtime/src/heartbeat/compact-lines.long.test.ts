import { expect, test } from "bun:test";
import { eventfulLines } from "../../../../test/support/heartbeat-lines.ts";
import { compacted } from "./compact-lines.ts";
import { readHeartbeatLine } from "./heartbeat-record.ts";
import { stateOf } from "./heartbeat-state.ts";

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
