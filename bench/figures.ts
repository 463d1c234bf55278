import type { Contestant } from "./contestants.ts";
import type { Run } from "./measure.ts";

/** One of the project's promises about speed, and how it stands. */
export interface Figure {
  readonly title: string;
  readonly unit: "ms" | "MiB";
  readonly floor: number;
  readonly mdxAi: number;
  /** The most that is allowed: so many times the floor, or so many units. */
  readonly limit: number;
  readonly limitIs: "ratio" | "value";
  readonly holds: boolean;
}

type Measure = (runs: readonly Run[]) => number;
type Promised = Pick<Figure, "title" | "unit" | "limit" | "limitIs"> & { readonly measure: Measure };

/** Of the 50 gaps of a run, those at its end, where a cost that grows with the session would show. */
const LATE_GAPS = [40, 50] as const;

const PROMISES: readonly Promised[] = [
  {
    title: "first request",
    unit: "ms",
    limit: 2,
    limitIs: "ratio",
    measure: (runs) => medianOf(runs, "text", (run) => run.firstRequest),
  },
  {
    title: "gap before the next request, turns 41-50",
    unit: "ms",
    limit: 3,
    limitIs: "ratio",
    measure: (runs) => medianOf(runs, "reads", (run) => median(run.gaps.slice(...LATE_GAPS))),
  },
  { title: "CPU of 10,000 deltas at once", unit: "ms", limit: 3, limitIs: "ratio", measure: cpuAboveText("burst") },
  { title: "CPU of 10,000 deltas one by one", unit: "ms", limit: 3, limitIs: "ratio", measure: cpuAboveText("drip") },
  {
    title: "first request of a resumed 5 MB session",
    unit: "ms",
    limit: 2,
    limitIs: "ratio",
    measure: (runs) => medianOf(runs, "resume", (run) => run.firstRequest),
  },
  {
    title: "peak memory of a text prompt",
    unit: "MiB",
    limit: 60,
    limitIs: "value",
    measure: (runs) => medianOf(runs, "text", (run) => run.peakMemory),
  },
];

/** The promises held against runs; medians throughout. A figure without runs is NaN and does not hold. */
export function figures(runs: readonly Run[]): readonly Figure[] {
  const of = (name: Contestant["name"]): readonly Run[] => runs.filter((run) => run.contestant === name);
  return PROMISES.map(({ measure, ...promise }) => {
    const [floor, mdxAi] = [measure(of("floor")), measure(of("mdx-ai"))];
    const holds = (promise.limitIs === "ratio" ? mdxAi / floor : mdxAi) <= promise.limit;
    return { ...promise, floor, mdxAi, holds };
  });
}

function cpuAboveText(scenario: string): Measure {
  return (runs) => medianOf(runs, scenario, (run) => run.cpu) - medianOf(runs, "text", (run) => run.cpu);
}

const medianOf = (runs: readonly Run[], scenario: string, value: (run: Run) => number): number =>
  median(runs.filter((run) => run.scenario === scenario).map(value));

function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}
