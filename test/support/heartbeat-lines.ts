import type { HeartbeatLine } from "../../packages/runtime/src/heartbeat/heartbeat-record.ts";
import { COSTLESS, DAY, HeartbeatBench, MINUTE } from "./heartbeat-bench.ts";

const HEARTBEAT = `@every: 40m
@limit: day tokens=500

## Routine Tasks

- Every day at 09:00: Summary
  @notify: session main
- Every 25 minutes: Look
`;

/** The lines of some days with failures, limits, gates, pauses, questions and kills. */
export async function eventfulLines(): Promise<readonly HeartbeatLine[]> {
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
