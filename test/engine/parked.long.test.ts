import { expect, test } from "bun:test";
import { type EngineBench, engineBench } from "../support/engine-bench.ts";
import { IMPATIENT_SERVER, restateProgram } from "../support/restate-server.ts";
import { type ToldReply, told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const bash = (command: string): ToldReply => ({ calls: [{ id: "c1", name: "bash", input: { command } }] });

/** How many prompts wait outside of all workers. */
const suspended = async ({ server }: EngineBench): Promise<number> =>
  (await server.query("SELECT id FROM sys_invocation WHERE status = 'suspended'")).length;

test.skipIf(!isInstalled)(
  "a prompt that waits for an answer leaves its worker after seconds, and takes the answer or a cancel",
  async () => {
    await using bench = await engineBench();
    const worker = await bench.start("--mode", "ask");
    for (const session of ["answered", "cancelled"]) {
      await worker.send("POST", "sessions", { id: session });
      const text = told(session, bash(`echo ${session} >> effects`), { text: "done" });
      await worker.send("POST", `sessions/${session}/prompts`, { text });
    }
    while ((await suspended(bench)) < 2) await Bun.sleep(100);
    await worker.json("GET", "sessions/answered");
    const answer = await worker.send("POST", "sessions/answered/questions/1.1.1", { answer: "yes" });
    expect(answer.status).toBe(200);
    const cancel = await worker.send("POST", "sessions/cancelled/cancel", {});
    expect(cancel.status).toBe(200);
    const ends = await Promise.all(
      ["answered", "cancelled"].map(async (id) => (await worker.eventsUntil(id, "agent_end")).at(-1)),
    );
    expect(ends.map((end) => end?.type === "agent_end" && end.outcome)).toEqual(["done", "aborted"]);
    expect(bench.linesOf("agent/effects")).toEqual(["answered"]);
  },
  60_000,
);

test.skipIf(!isInstalled)(
  "a tool that runs for longer than the server waits for news of a worker hears at once that its prompt is cancelled",
  async () => {
    await using bench = await engineBench({}, { serverEnvironment: IMPATIENT_SERVER });
    const worker = await bench.start("--allow-all");
    await worker.send("POST", "sessions/main/prompts", { text: told("p", bash("sleep 300"), { text: "done" }) });
    await Bun.sleep(5_000);
    const began = performance.now();
    await worker.send("POST", "sessions/main/cancel", {});
    await worker.eventsUntil("main", "agent_end");
    expect(performance.now() - began).toBeLessThan(30_000);
  },
  120_000,
);
