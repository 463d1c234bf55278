import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import type { EngineWorker } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { restateProgram } from "../support/restate-server.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const HEARTBEAT = "## Schedule\n\n@every: 2s\n@session: isolated\n\n## On Wake\n\n- Look around\n";

test.skipIf(!isInstalled)(
  "two workers wake an agent once at each time, also while workers are killed and started",
  async () => {
    await using bench = await engineBench({ "agent/heartbeat.md": HEARTBEAT });
    const first = await bench.start();
    const second = await bench.start();
    const wakes = (): readonly number[] => bench.model.requests.map(({ at }) => at);
    // The request that a kill interrupts is sent again.
    const repeated = new Set<number>();
    const kill = async (worker: EngineWorker): Promise<void> => {
      await worker.kill("SIGKILL");
      repeated.add(wakes().length);
    };
    await eventually(() => wakes().length >= 3);
    await kill(first);
    await eventually(() => wakes().length >= 5);
    const third = await bench.start();
    await kill(second);
    await eventually(() => wakes().length >= 8);
    const { sessions } = await third.json("GET", "sessions");
    const isolated = sessions.filter(({ id }: { readonly id: string }) => id.startsWith("heartbeat-"));
    // Every run has a session of its own, with one prompt.
    expect(isolated.map(({ prompts }: { readonly prompts: number }) => prompts)).toEqual(isolated.map(() => 1));
    expect(isolated.length).toBeGreaterThanOrEqual(wakes().length - repeated.size);
    const gaps = wakes().flatMap((at, index) => {
      const before = wakes()[index - 1];
      return before === undefined || repeated.has(index) ? [] : [at - before];
    });
    expect(Math.min(...gaps)).toBeGreaterThan(500);
  },
  120_000,
);
