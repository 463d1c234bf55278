import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventfulLines } from "../../../../test/support/heartbeat-lines.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { stateOf } from "./heartbeat-state.ts";
import { LineFileStore } from "./line-file-store.ts";

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
