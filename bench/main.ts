// `npm run bench [-- --repetitions=7] [--json] [--no-build]`: measures dist/mdx-ai against a bare loop over `fetch` and checks
// the figures against what is promised. Exits with 1 if a promise is broken.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "../scripts/build-executable.ts";
import { type Contestant, type ContestantOptions, floor, mdxAi } from "./contestants.ts";
import { dropPages, syncTime } from "./disk.ts";
import { type Figure, figures, type Measurements } from "./figures.ts";
import { type MeasureOptions, measure, type Run } from "./measure.ts";
import { median } from "./median.ts";
import { quietMoment } from "./quiet-moment.ts";
import { HISTORY, SCENARIOS, type Scenario } from "./scenarios.ts";
import { serveModel } from "./served-model.ts";

const { values: options } = parseArgs({
  allowNegative: true,
  options: {
    repetitions: { type: "string", default: "7" },
    json: { type: "boolean", default: false },
    build: { type: "boolean", default: true },
  },
});

const EXECUTABLE = join(import.meta.dir, "../dist/mdx-ai");

const workshop = await mkdtemp(join(tmpdir(), "mdx-ai-bench-"));
const server = await serveModel();
try {
  if (options.build) await buildExecutable({ outfile: EXECUTABLE });
  await dropPages(EXECUTABLE);
  const result = figures(await runAll(server.url));
  console.log(options.json ? JSON.stringify(result, null, 2) : result.map(line).join("\n"));
  process.exitCode = result.every(({ holds }) => holds) ? 0 : 1;
} finally {
  server.stop();
  await rm(workshop, { recursive: true, force: true });
}

/** Repetitions outside, contestants inside, so that noise falls on all alike. The first round warms caches up. */
async function runAll(modelUrl: string): Promise<Measurements> {
  const round = await firstRound(modelUrl);
  console.error("warming up …");
  await runRound(round);
  const runs: Run[] = [];
  const syncs: number[] = [];
  for (let number = 1; number <= Number(options.repetitions); number++) {
    console.error(`round ${number} of ${options.repetitions} …`);
    runs.push(...(await runRound(round)));
    syncs.push(await syncTime(workshop));
  }
  return { runs, sync: median(syncs) };
}

async function firstRound(modelUrl: string): Promise<readonly MeasureOptions[]> {
  const place = (name: ContestantOptions["place"]): ContestantOptions => ({ workshop, modelUrl, place: name });
  const fresh = [await floor(place("fresh")), await mdxAi(place("fresh"))];
  const resumed = [await floor(place("resumed")), await mdxAi(place("resumed"))];
  const shells = hasSandbox() ? [await mdxAi(place("bare")), await mdxAi(place("sandboxed"))] : [];
  for (const contestant of resumed) await measure({ contestant, scenario: HISTORY, modelUrl });
  const contestants = ({ resumes, isSandboxed }: Scenario): readonly Contestant[] => {
    if (isSandboxed) return shells;
    return resumes ? resumed : fresh;
  };
  return SCENARIOS.flatMap((scenario) =>
    contestants(scenario).map((contestant) => ({ contestant, scenario, modelUrl })),
  );
}

/** Whether bubblewrap is here and works. */
function hasSandbox(): boolean {
  const program = Bun.which("bwrap");
  if (program === null) return false;
  return Bun.spawnSync([program, "--unshare-all", "--ro-bind", "/", "/", "true"], {
    stdio: ["ignore", "ignore", "ignore"],
  }).success;
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

function line({ title, unit, floor, mdxAi, limit, limitIs, holds }: Figure): string {
  const most = limitIs === "ratio" ? `at most ${limit}x` : `at most ${Number(limit.toFixed(2))} ${unit}`;
  const cells = [
    title.padEnd(42),
    `floor ${floor.toFixed(2)} ${unit}`.padEnd(18),
    `mdx-ai ${mdxAi.toFixed(2)} ${unit}`.padEnd(20),
    `${(mdxAi / floor).toFixed(2)}x`.padEnd(6),
  ];
  return `${holds ? "✓" : "✗"} ${cells.join(" ")} ${most}`;
}
