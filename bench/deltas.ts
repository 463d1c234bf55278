// CPU time of many text deltas: a bare loop over `fetch` and our Anthropic adapter, in turn, in this one process. Prints
// medians and their ratio for deltas that come at once (burst) and one by one (drip). Usage: bun bench/deltas.ts
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { type Arrival, bareLoop } from "./bare-loop.ts";
import { DELTAS } from "./scenarios.ts";

const ROUNDS = 15;
const WARM_UP_ROUNDS = 3;

interface Run extends Arrival {
  /** Milliseconds of user and system time. */
  readonly cpu: number;
}

async function measure(work: () => Promise<Arrival>): Promise<Run> {
  Bun.gc(true);
  const before = process.cpuUsage();
  const arrival = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...arrival, cpu: (user + system) / 1000 };
}

/** Reads one answer through the adapter. A step is an event of text. */
async function adapterLoop(model: LanguageModel): Promise<Arrival> {
  const messages = [{ role: "user", content: [{ type: "text", text: "Go on." }], timestamp: 0 }] as const;
  let text = "";
  let steps = 0;
  for await (const event of model.stream({ system: "", tools: [], messages }, new AbortController().signal)) {
    if (event.type === "error") throw event.error;
    if (event.type !== "text_delta") continue;
    text += event.delta;
    steps++;
  }
  return { characters: text.length, steps };
}

function median(runs: readonly Run[]): Run {
  const sorted = runs.toSorted((a, b) => a.cpu - b.cpu);
  return sorted[Math.floor(sorted.length / 2)] ?? { cpu: Number.NaN, steps: 0, characters: 0 };
}

async function compare(origin: string, scenario: "burst" | "drip"): Promise<void> {
  const environment = { ANTHROPIC_API_KEY: "bench", ANTHROPIC_BASE_URL: origin };
  const model = await openModel("anthropic/bench", { environment });
  const begin = (): Promise<Response> => fetch(`${origin}/begin/${scenario}`, { method: "POST" });
  const bare: Run[] = [];
  const ours: Run[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await begin();
    bare.push(await measure(() => bareLoop(origin)));
    await begin();
    ours.push(await measure(() => adapterLoop(model)));
  }
  report(scenario, median(bare.slice(WARM_UP_ROUNDS)), median(ours.slice(WARM_UP_ROUNDS)));
}

function report(scenario: string, bare: Run, ours: Run): void {
  if (bare.characters !== ours.characters)
    throw new Error(`${ours.characters} of ${bare.characters} characters arrived`);
  const show = ({ cpu, steps }: Run): string => `${cpu.toFixed(1)} ms in ${steps} steps`;
  const ratio = (ours.cpu / bare.cpu).toFixed(2);
  console.log(`${DELTAS} deltas, ${scenario}: bare loop ${show(bare)}, adapter ${show(ours)}, ratio ${ratio}`);
}

const server = Bun.spawn([process.execPath, `${import.meta.dir}/model-server.ts`], { stdout: "pipe" });
try {
  const { value } = await server.stdout.getReader().read();
  const origin = new TextDecoder().decode(value).trim();
  await compare(origin, "burst");
  await compare(origin, "drip");
} finally {
  server.kill();
}
