import type { Contestant } from "./contestants.ts";
import type { Run } from "./measure.ts";
import { median } from "./median.ts";

/** A promised figure, and whether it is met. */
export interface Figure {
  readonly title: string;
  readonly unit: "ms" | "MiB";
  /** The value compared with: the bare loop, or a bare shell for the sandbox. */
  readonly floor: number;
  readonly mdxAi: number;
  /** The most that is allowed: so many times the floor, or so many units. */
  readonly limit: number;
  readonly limitIs: "ratio" | "value";
  readonly holds: boolean;
}

/** The measurements. */
export interface Measurements {
  readonly runs: readonly Run[];
  /** Milliseconds of one sync of the disk. */
  readonly sync: number;
}

type Measure = (runs: readonly Run[]) => number;

type Promised = Pick<Figure, "title" | "unit" | "limitIs"> & {
  readonly limit: number | ((floor: number, sync: number) => number);
  readonly measure: Measure;
  /** The contestant to compare with. Default: the bare loop. */
  readonly against?: Contestant["name"];
};

/** Of the 50 gaps of a run, those at its end, where a cost that grows with the session would show. */
const LATE_GAPS = [40, 50] as const;

const lateGap: Measure = (runs) => medianOf(runs, "reads", (run) => median(run.gaps.slice(...LATE_GAPS)));

const PROMISES: readonly Promised[] = [
  {
    title: "first request",
    unit: "ms",
    limit: 1.8,
    limitIs: "ratio",
    measure: (runs) => medianOf(runs, "text", (run) => run.firstRequest),
  },
  {
    title: "end of the process after the answer",
    unit: "ms",
    limit: 6,
    limitIs: "value",
    measure: (runs) => medianOf(runs, "text", (run) => run.exit),
  },
  {
    title: "gap before the next request, turns 41-50",
    unit: "ms",
    limit: (floor, sync) => floor + 2 * sync + 0.5,
    limitIs: "value",
    measure: lateGap,
  },
  { title: "CPU of 10,000 deltas at once", unit: "ms", limit: 2, limitIs: "ratio", measure: cpuAboveText("burst") },
  { title: "CPU of 10,000 deltas one by one", unit: "ms", limit: 2, limitIs: "ratio", measure: cpuAboveText("drip") },
  {
    title: "first request of a resumed 5 MB session",
    unit: "ms",
    limit: 1.6,
    limitIs: "ratio",
    measure: (runs) => medianOf(runs, "resume", (run) => run.firstRequest),
  },
  {
    title: "peak memory of a text prompt",
    unit: "MiB",
    limit: 50,
    limitIs: "value",
    measure: (runs) => medianOf(runs, "text", (run) => run.peakMemory),
  },
  {
    title: "gap with a sandboxed echo (floor: bare)",
    unit: "ms",
    limit: (bare) => bare + 40,
    limitIs: "value",
    measure: (runs) => medianOf(runs, "echo", (run) => median(run.gaps.slice(1))),
    against: "mdx-ai without a sandbox",
  },
];

/** The promises checked against what was measured; medians throughout. Without runs there is no figure. */
export function figures({ runs, sync }: Measurements): readonly Figure[] {
  const of = (name: Contestant["name"]): readonly Run[] => runs.filter((run) => run.contestant === name);
  return PROMISES.flatMap(({ measure, against = "floor", limit: allowed, ...promise }) => {
    const [floor, mdxAi] = [measure(of(against)), measure(of("mdx-ai"))];
    if (Number.isNaN(floor) || Number.isNaN(mdxAi)) return [];
    const limit = typeof allowed === "number" ? allowed : allowed(floor, sync);
    const holds = (promise.limitIs === "ratio" ? mdxAi / floor : mdxAi) <= limit;
    return [{ ...promise, limit, floor, mdxAi, holds }];
  });
}

function cpuAboveText(scenario: string): Measure {
  return (runs) => medianOf(runs, scenario, (run) => run.cpu) - medianOf(runs, "text", (run) => run.cpu);
}

const medianOf = (runs: readonly Run[], scenario: string, value: (run: Run) => number): number =>
  median(runs.filter((run) => run.scenario === scenario).map(value));
