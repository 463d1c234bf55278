import { expect, test } from "bun:test";
import { COSTLESS, HOUR, MINUTE, tasksOf } from "../../../../test/support/heartbeat-bench.ts";
import { HostedHeartbeat } from "./hosted-heartbeat.ts";

const START = Date.parse("2026-11-21T08:00:00.000Z");

/** A heartbeat whose record this test keeps, as an engine does. */
class KeptHeartbeat {
  readonly reports: string[] = [];
  readonly #heartbeat: HostedHeartbeat;
  #lines: readonly string[] = [];
  #awake: number | undefined;
  #expected: number | undefined;

  constructor(text: string) {
    const tasks = tasksOf(text, "UTC");
    this.#heartbeat = new HostedHeartbeat({
      tasks: () => tasks,
      run: async () => undefined,
      notify: () => {},
      report: (line) => this.reports.push(line),
      newSession: () => "isolated",
    });
  }

  /** The outcomes of times without a run. */
  get skipped(): readonly unknown[] {
    return this.#lines
      .map((line) => JSON.parse(line))
      .flatMap(({ type, outcome }) => (type === "skipped" ? outcome : []));
  }

  async look(now: number) {
    const found = await this.#heartbeat.look(this.#soFar(now));
    this.#add(found.lines);
    this.#awake = now;
    this.#expected = now + (found.wait ?? 0);
    return found;
  }

  async ended(now: number, wake: Parameters<HostedHeartbeat["ended"]>[1]): Promise<void> {
    this.#add(await this.#heartbeat.ended(this.#soFar(now), wake, COSTLESS));
  }

  #soFar(now: number) {
    return { lines: this.#lines, now, awake: this.#awake, expected: this.#expected };
  }

  #add(lines: readonly object[]): void {
    this.#lines = [...this.#lines, ...lines.map((line) => JSON.stringify(line))];
  }
}

test("a time at which no worker ran is news, and one whose look came in time is not", async () => {
  const record = new KeptHeartbeat("@every: 15m\n");
  expect(await record.look(START)).toMatchObject({ wakes: [], wait: 15 * MINUTE });
  const { wakes } = await record.look(START + 15 * MINUTE);
  expect(wakes).toHaveLength(1);
  for (const wake of wakes) await record.ended(START + 16 * MINUTE, wake);
  await record.look(START + 16 * MINUTE);
  expect(record.reports).toEqual([]);
  await record.look(START + 2 * HOUR + MINUTE);
  expect(record.reports).toEqual([
    "On Wake: 7 times were missed while no process ran or the machine slept, the last one at 2026-11-21T10:00:00.000Z",
  ]);
});

test("a time that comes in the moment in which a run ends is an overlap", async () => {
  const record = new KeptHeartbeat("@every: 15m\n");
  await record.look(START);
  const { wakes } = await record.look(START + 15 * MINUTE);
  for (const wake of wakes) await record.ended(START + 30 * MINUTE + 1, wake);
  expect(record.skipped).toEqual(["overlap"]);
  expect(record.reports).toEqual([]);
});
