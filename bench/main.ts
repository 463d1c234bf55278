// `npm run bench [-- --repetitions=7] [--json] [--no-build]`: measures dist/mdx-ai against a bare loop over `fetch` and holds
// the figures against what is promised. Exits with 1 where a promise is broken.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "../scripts/build-executable.ts";
import { type Contestant, type ContestantOptions, floor, mdxAi } from "./contestants.ts";
import { type Figure, figures } from "./figures.ts";
import { type MeasureOptions, measure, type Run } from "./measure.ts";
import { quietMoment } from "./quiet-moment.ts";
import { HISTORY, SCENARIOS } from "./scenarios.ts";

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    repetitions: { type: "string", default: "7" },
    json: { type: "boolean", default: false },
    build: { type: "boolean", default: true },
  },
});

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
const server = Bun.spawn([process.execPath, join(import.meta.dir, "model-server.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  if (options.build) await buildExecutable({ outfile: join(import.meta.dir, "../dist/mdx-ai") });
  const result = figures(await runAll(await firstLine(server.stdout)));
  console.log(options.json ? JSON.stringify(result, null, 2) : result.map(line).join("\n"));
  process.exitCode = result.every(({ holds }) => holds) ? 0 : 1;
} finally {
  server.kill();
  await rm(workshop, { recursive: true, force: true });
}

/** Repetitions outside, contestants inside, so that noise falls on both alike. The first round warms caches up. */
async function runAll(modelUrl: string): Promise<readonly Run[]> {
  const fresh = await contestants({ workshop, modelUrl, place: "fresh" });
  const resumed = await contestants({ workshop, modelUrl, place: "resumed" });
  for (const contestant of resumed) await measure({ contestant, scenario: HISTORY, modelUrl });
  const round: readonly MeasureOptions[] = SCENARIOS.flatMap((scenario) =>
    (scenario.resumes ? resumed : fresh).map((contestant) => ({ contestant, scenario, modelUrl })),
  );
  console.error("warming up …");
  await runRound(round);
  const runs: Run[] = [];
  for (let number = 1; number <= Number(options.repetitions); number++) {
    console.error(`round ${number} of ${options.repetitions} …`);
    runs.push(...(await runRound(round)));
  }
  return runs;
}

async function runRound(round: readonly MeasureOptions[]): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const one of round) {
    if (!one.scenario.resumes) await one.contestant.forget();
    await quietMoment();
    runs.push(await measure(one));
  }
  return runs;
}

async function contestants(place: ContestantOptions): Promise<readonly Contestant[]> {
  return [await floor(place), await mdxAi(place)];
}

function line({ title, unit, floor, mdxAi, limit, limitIs, holds }: Figure): string {
  const ratio =
    limitIs === "ratio" ? `${(mdxAi / floor).toFixed(1)}x of at most ${limit}x` : `of at most ${limit} ${unit}`;
  const cells = [
    title.padEnd(42),
    `floor ${floor.toFixed(1)} ${unit}`.padEnd(18),
    `mdx-ai ${mdxAi.toFixed(1)} ${unit}`.padEnd(20),
  ];
  return `${holds ? "✓" : "✗"} ${cells.join(" ")} ${ratio}`;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.trim();
}
