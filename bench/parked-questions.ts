// `npm run bench:parked`: what prompts cost that wait for an answer. The worker is a process of its own; `ENGINE_PARKED=N` of them.
import { readFileSync } from "node:fs";
import { engineBench } from "../test/support/engine-bench.ts";
import { told } from "../test/support/told-model.ts";

const COUNT = Number(process.env["ENGINE_PARKED"] ?? 10_000);
/** How many are begun at a time. */
const AT_ONCE = 32;
/** Milliseconds after which a prompt that only waits leaves the memory of its worker, and some more. */
const UNTIL_PARKED = 20_000;

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

await using bench = await engineBench();
const worker = await bench.start("--mode", "ask");
const before = memoryOf(worker.pid);
const text = told("p", { calls: [{ id: "c1", name: "bash", input: { command: "true" } }] }, { text: "done" });
let next = 0;
const begin = async (): Promise<void> => {
  for (let number = next++; number < COUNT; number = next++) {
    await worker.send("POST", "sessions", { id: `s${number}` });
    await worker.send("POST", `sessions/s${number}/prompts`, { text });
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, begin));
const countWaiting = async (): Promise<string> => {
  const query = "SELECT count(*) AS waiting FROM sys_invocation WHERE status = 'suspended'";
  const answer = await fetch(`${bench.server.admin}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  return answer.text();
};
console.log(
  `${COUNT} prompts have begun; the worker has ${memoryOf(worker.pid).toFixed(0)} MiB (${before.toFixed(0)} before)`,
);
await Bun.sleep(UNTIL_PARKED);
console.log(`${await countWaiting()} wait; the worker has ${memoryOf(worker.pid).toFixed(0)} MiB`);
await worker.json("GET", "sessions/s0");
await worker.send("POST", "sessions/s0/questions/1.1.1", { answer: "yes" });
const events = await worker.eventsUntil("s0", "agent_end");
console.log(`an answer ends its prompt: ${JSON.stringify(events.at(-1)?.type)}`);
