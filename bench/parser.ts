// Prints what parsing agent.mdx costs beside unified with remark-parse and remark-mdx alone, on the same files in one run.
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { bareParse } from "../packages/parser/bench/bare-parser.ts";

const title = "# Agent: Bench\n\n## Purpose\n\nMeasures what reading costs.\n";

const chapter = `
## Chapter

The *agent* reads \`files\` and answers [questions](https://example.com) about them; it says **clearly** what it does not
know, and why. Numbers such as 3 \\< 5 are kept.

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
