import { expect, test } from "bun:test";
import { isRecord } from "@mdx-ai/base";
import { engineBench } from "../support/engine-bench.ts";
import type { EngineWorker } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { IMPATIENT_SERVER, restateProgram } from "../support/restate-server.ts";

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

test.skipIf(!isInstalled)(
  "a wake that takes longer than the server waits for news of a worker is run once",
  async () => {
    const idle = { text: "HEARTBEAT_OK", before: 6_000 };
    await using bench = await engineBench(
      { "agent/heartbeat.md": HEARTBEAT },
      { serverEnvironment: IMPATIENT_SERVER, idle },
    );
    const worker = await bench.start();
    const seen = new Set<string>();
    const look = async (): Promise<void> => {
      const rows = await bench.server.query("SELECT status FROM sys_invocation WHERE target_handler_name = 'run'");
      for (const row of rows) if (isRecord(row)) seen.add(String(row["status"]));
    };
    await eventually(() => bench.model.requests.length === 1);
    while (bench.model.requests.length === 1) {
      await look();
      await Bun.sleep(200);
    }
    expect([...seen]).toContain("running");
    // Neither the run nor its prompt has left its worker.
    expect([...seen].filter((status) => ["suspended", "backing-off", "paused"].includes(status))).toEqual([]);
    expect(worker.stderr()).not.toContain("engine:");
  },
  60_000,
);
