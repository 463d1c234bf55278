import { expect, test } from "bun:test";
import { availableParallelism, loadavg } from "node:os";
import { type EngineBench, engineBench } from "../support/engine-bench.ts";
import type { EngineWorker } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { restateProgram } from "../support/restate-server.ts";
import { type ToldReply, told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

/** A command that leaves a line, then takes its time. */
const command = (id: string, seconds = 0): ToldReply => ({
  calls: [{ id, name: "bash", input: { command: `echo ${id} >> effects; sleep ${seconds}; echo ${id} >> ends` } }],
});

interface Moment {
  readonly name: string;
  readonly replies: readonly ToldReply[];
  readonly options: readonly string[];
  /** Whether the prompt has come to the moment. */
  readonly isAt: (bench: EngineBench) => boolean;
  /** After the kill. */
  readonly act?: (worker: EngineWorker) => Promise<void>;
  /** The milliseconds after the last request before which the next one cannot come. */
  readonly takes: number;
  readonly effects: readonly string[];
  readonly errors: readonly boolean[];
}

/** A second, on a machine that is not busy with other things. */
const withinMilliseconds = (): number => 1_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism() / 2);

const ALL = ["--allow-all"];
const asked = (bench: EngineBench, count: number): boolean => bench.model.requests.length === count;

const MOMENTS: readonly Moment[] = [
  {
    name: "a model call",
    replies: [command("one"), { text: "done", before: 2_500 }],
    options: ALL,
    isAt: (bench) => asked(bench, 2),
    ...{ takes: 0, effects: ["one"], errors: [false] },
  },
  {
    name: "a tool",
    replies: [command("one"), command("two", 30), { text: "done" }],
    options: ALL,
    isAt: (bench) => bench.linesOf("agent/effects").length === 2,
    ...{ takes: 0, effects: ["one", "two"], errors: [false, true] },
  },
  {
    name: "a question",
    replies: [command("one"), { text: "done" }],
    options: ["--mode", "ask"],
    isAt: (bench) => asked(bench, 1),
    act: async (worker) => {
      await worker.eventsUntil("main", "question_asked");
      const answer = await worker.send("POST", "sessions/main/questions/1.1.1", { answer: "yes" });
      expect(answer.status).toBe(200);
    },
    ...{ takes: 0, effects: ["one"], errors: [false] },
  },
  {
    name: "a sleep",
    replies: [command("one"), { text: "done", failures: 1 }],
    options: ALL,
    // The failure has been journaled, and the wait has begun.
    isAt: (bench) => asked(bench, 2) && performance.now() - (bench.model.requests.at(-1)?.at ?? 0) > 700,
    ...{ takes: 3_000, effects: ["one"], errors: [false] },
  },
];

test.skipIf(!isInstalled).each(MOMENTS.map((moment) => [moment.name, moment] as const))(
  "a worker is killed in %s: another one continues within a second, and nothing runs twice",
  async (_name, { replies, options, isAt, act, takes, effects, errors }) => {
    await using bench = await engineBench();
    const first = await bench.start(...options);
    await first.send("POST", "sessions/main/prompts", { text: told("p", ...replies) });
    const second = await bench.start(...options);
    await eventually(() => isAt(bench));
    const before = bench.model.requests.length;
    const killed = performance.now();
    await first.kill("SIGKILL");
    await act?.(second);
    await eventually(() => bench.model.requests.length > before);
    const [last, next] = bench.model.requests.slice(before - 1).map(({ at }) => at);
    const late = (next ?? 0) - Math.max(killed, (last ?? 0) + takes);
    const events = await second.eventsUntil("main", "agent_end");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual([...effects]);
    const ends = events.flatMap((event) => (event.type === "tool_execution_end" ? [event.isError] : []));
    expect(ends).toEqual([...errors]);
    console.log(`the next request came ${late.toFixed(0)} ms after the kill`);
    expect(late).toBeLessThan(withinMilliseconds());
    if (takes > 0) expect(late).toBeGreaterThan(-100);
  },
  120_000,
);

test.skipIf(!isInstalled).each(MOMENTS.map((moment) => [moment.name, moment] as const))(
  "the server is killed in %s: the prompt continues after its restart, and nothing runs twice",
  async (_name, { replies, options, isAt, act, effects }) => {
    await using bench = await engineBench();
    const worker = await bench.start(...options);
    await worker.send("POST", "sessions/main/prompts", { text: told("p", ...replies) });
    await eventually(() => isAt(bench));
    await bench.server.kill();
    await bench.server.start();
    await act?.(worker);
    const events = await worker.eventsUntil("main", "agent_end");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual([...effects]);
  },
  120_000,
);
