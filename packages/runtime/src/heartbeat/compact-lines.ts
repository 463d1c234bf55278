import type { HeartbeatLine } from "./heartbeat-record.ts";
import { stateOf } from "./heartbeat-state.ts";

/** The newest lines, after lines that stand for all older ones: the state that they lead to is the same. */
export function compacted(lines: readonly HeartbeatLine[], kept: number): readonly HeartbeatLine[] {
  const count = Math.max(0, lines.length - kept);
  const old = lines.slice(0, count);
  const last = old.at(-1);
  if (last === undefined) return lines;
  const { tasks, isPaused } = stateOf(old);
  const known = [...tasks].map(([task, state]): HeartbeatLine => ({ type: "known", at: last.at, task, state }));
  return [...known, ...(isPaused ? [{ type: "paused", at: last.at } as const] : []), ...lines.slice(count)];
}
