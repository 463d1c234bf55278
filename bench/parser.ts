// Prints what parsing agent.mdx costs beside unified with remark-parse and remark-mdx alone, on the same files in one run; per byte; and how
// long a cold `check` takes: `-- --beside FOLDER` adds that of the checkout in another folder.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { bareParse } from "../packages/parser/bench/bare-parser.ts";

const title = "# Agent: Bench\n\n## Purpose\n\nMeasures what reading costs.\n";

const chapter = `
## Chapter

The *agent* reads \`files\` and answers [questions](https://example.com) about them; it says **clearly** what it does not
know, and why. Numbers such as 3 < 5 are kept.

- Can do X
  - nested, with _emphasis_
- Can do Y

1. First this
2. then that

> Never delete anything.

`;

const tool = (name: string): string => `
<Tool name="${name}" description="Gives the weather of a city">
  <Param name="city" type="string" description="City name" />
  <Param name="days" type="number" required="false" description="How many days" />

\`\`\`ts
async function execute(params: { city: string; days?: number }, ctx: any) {
  const answer = await fetch("https://example.com/api?city=" + params.city);
  return await answer.text();
}
\`\`\`

</Tool>
`;

/** An agent.mdx of about so many kilobytes: one tool to every four chapters. */
function document(kilobytes: number): string {
  const parts = [title];
  let length = title.length;
  for (let index = 0; length < kilobytes * 1_000; index++) {
    const part = index % 5 === 4 ? tool(`weather_${index}`) : chapter;
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

async function milliseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

console.log("size      remark alone     mdx-ai   ratio   (medians of CPU-bound runs in turn)");
for (const [kilobytes, rounds] of [
  [10, 41],
  [100, 9],
  [1_000, 3],
] as const) {
  const text = document(kilobytes);
  const bare: number[] = [];
  const whole: number[] = [];
  const warmUp = kilobytes === 10 ? 5 : 1;
  for (let round = -warmUp; round < rounds; round++) {
    const one = await milliseconds(() => bareParse(text));
    const other = await milliseconds(() => parseAgentMdx(text));
    if (round >= 0) bare.push(one);
    if (round >= 0) whole.push(other);
  }
  const [floor, ours] = [median(bare), median(whole)];
  const cells = [
    `${kilobytes} KB`.padEnd(9),
    `${floor.toFixed(1)} ms`.padStart(13),
    `${ours.toFixed(1)} ms`.padStart(11),
  ];
  console.log(`${cells.join("")}   ${(ours / floor).toFixed(2)}`);
}

console.log("\nsize          per byte   (a new text each time, medians of 41)");
for (const kilobytes of [4, 9]) {
  const text = document(kilobytes);
  const times: number[] = [];
  for (let round = 0; round < 41; round++) {
    times.push(await milliseconds(() => parseAgentMdx(`${text}\nRound ${round}.\n`)));
  }
  console.log(
    `${`${kilobytes} KB`.padEnd(9)}${`${((median(times) * 1_000) / text.length).toFixed(3)} µs`.padStart(13)}`,
  );
}

/** Milliseconds of one process: on the clock, and of the processor with those that it starts. */
interface Cost {
  readonly clock: number;
  readonly processor: number;
}

/** The cost of a `check` in a process and with a home of its own, so that nothing is cached. Throws if it finds mistakes. */
async function coldCheck(root: string, directory: string): Promise<Cost> {
  const home = mkdtempSync(join(folder, "home-"));
  const start = performance.now();
  const child = Bun.spawn([process.execPath, join(root, "packages/cli/src/main.ts"), "check", directory], {
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ((await child.exited) !== 0) throw new Error(`${root} finds mistakes in ${directory}`);
  const clock = performance.now() - start;
  return { clock, processor: Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1_000 };
}

/** The checks of this program, and of one in another folder that `--beside FOLDER` names, such as an earlier version. */
function contestants(): readonly (readonly [title: string, root: string, directory: string])[] {
  const here = join(import.meta.dir, "..");
  const { values } = parseArgs({ options: { beside: { type: "string" } } });
  const names = ["weather", "4 KB", "9 KB"] as const;
  const of = (root: string, title: string) => names.map((name) => [title + name, root, join(folder, name)] as const);
  return [...of(here, ""), ...(values.beside === undefined ? [] : of(resolve(values.beside), "beside: "))];
}

console.log("\ncold check          clock   processor   (medians of 11 processes, in turn)");
const folder = mkdtempSync(join(tmpdir(), "mdx-ai-bench-"));
try {
  cpSync(join(import.meta.dir, "../examples/weather"), join(folder, "weather"), { recursive: true });
  for (const kilobytes of [4, 9]) {
    mkdirSync(join(folder, `${kilobytes} KB/skills`), { recursive: true });
    writeFileSync(join(folder, `${kilobytes} KB/agent.mdx`), document(kilobytes));
  }
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < 11; round++) {
    for (const [title, root, directory] of contestants()) {
      costs.set(title, [...(costs.get(title) ?? []), await coldCheck(root, directory)]);
    }
  }
  const processor = (title: string): number => median((costs.get(title) ?? []).map((cost) => cost.processor));
  for (const [title, all] of costs) {
    const clock = `${median(all.map((cost) => cost.clock)).toFixed(0)} ms`;
    console.log(`${title.padEnd(16)}${clock.padStart(9)}${`${processor(title).toFixed(0)} ms`.padStart(12)}`);
  }
  const ratio = (one: string, other: string): void =>
    console.log(`${one} / ${other}: ${(processor(one) / processor(other)).toFixed(2)} by processor`);
  ratio("9 KB", "4 KB");
  if (costs.has("beside: 4 KB")) ratio("9 KB", "beside: 4 KB");
  if (costs.has("beside: weather")) ratio("weather", "beside: weather");
} finally {
  rmSync(folder, { recursive: true });
}
