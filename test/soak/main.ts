// `npm run soak`: simulates 50 agents for 30 days, with mixed schedules, faults and restarts.
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { soak } from "./soak.ts";

using folder = temporaryDirectory();
const seed = Number(process.argv[2] ?? Math.floor(Math.random() * 2 ** 31));
const since = performance.now();
const { runs, restarts, times, complaints, heap } = await soak({ agents: 50, days: 30, folder: folder.path, seed });
for (const complaint of complaints.slice(0, 20)) console.error(complaint);
const megabytes = heap.map((bytes) => (bytes / 1e6).toFixed(1)).join(", ");
console.log(`seed ${seed}: ${times} due times, ${runs} runs, ${restarts} restarts, ${complaints.length} complaints`);
console.log(`${((performance.now() - since) / 1000).toFixed(1)} s; live: ${megabytes} MB after 10, 20 and 30 days`);
process.exitCode = complaints.length === 0 ? 0 : 1;
