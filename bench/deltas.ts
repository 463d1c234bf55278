/**
 * CPU time of 10,000 text deltas: a bare loop over `fetch`, and our Anthropic adapter, in turn, in this process.
 * Prints the medians and their ratio for deltas that come at once (burst) and one by one (drip).
 */
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { bareLoop } from "./bare-loop.ts";

const deltas = 10_000;
const rounds = 15;

interface Run {
  /** Milliseconds of user and system time. */
  readonly cpu: number;
  /** Text deltas, or chunks of the network for the bare loop. */
  readonly steps: number;
}

async function measure(work: () => Promise<number>): Promise<Run> {
  Bun.gc(true);
  const before = process.cpuUsage();
  const steps = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, steps };
}

async function adapterLoop(model: LanguageModel): Promise<number> {
  const messages = [{ role: "user", content: [{ type: "text", text: "Go on." }], timestamp: 0 }] as const;
  let text = "";
  let steps = 0;
  for await (const event of model.stream({ system: "", tools: [], messages }, new AbortController().signal)) {
    if (event.type === "error") throw event.error;
    if (event.type !== "text_delta") continue;
    text += event.delta;
    steps++;
  }
  if (text.length !== deltas * "lorem ".length) throw new Error(`${text.length} characters arrived`);
  return steps;
}

function median(runs: readonly Run[]): Run {
  const sorted = runs.toSorted((a, b) => a.cpu - b.cpu);
  return sorted[Math.floor(sorted.length / 2)] ?? { cpu: Number.NaN, steps: 0 };
}

async function compare(origin: string, mode: "burst" | "drip"): Promise<void> {
  const base = `${origin}/${mode}/${deltas}`;
  const model = await openModel("anthropic/bench", {
    environment: { ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: base },
  });
  const bare: Run[] = [];
  const ours: Run[] = [];
  for (let round = 0; round < rounds; round++) {
    bare.push(await measure(() => bareLoop(base)));
    ours.push(await measure(() => adapterLoop(model)));
  }
  // The first rounds warm up.
  const [floor, adapter] = [median(bare.slice(3)), median(ours.slice(3))];
  const show = ({ cpu, steps }: Run): string => `${cpu.toFixed(1)} ms in ${steps} steps`;
  console.log(
    `${mode}: bare loop ${show(floor)}, adapter ${show(adapter)}, ratio ${(adapter.cpu / floor.cpu).toFixed(2)}`,
  );
}

const server = Bun.spawn([process.execPath, `${import.meta.dir}/delta-server.ts`], { stdout: "pipe" });
try {
  const { value } = await server.stdout.getReader().read();
  const origin = new TextDecoder().decode(value).trim();
  await compare(origin, "burst");
  await compare(origin, "drip");
} finally {
  server.kill();
}
