// Prints the time of the processor to a diagnostic, or to the end, for each kind of hostile text of 100 KB, worst first; one kind alone
// if it is named: npm run bench:hostile -- nestedLinks
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { HOSTILE_TEXTS } from "../test/support/hostile-texts.ts";

const START = "# Agent: A\n\n## Purpose\n\nP\n\n";

interface Row {
  readonly name: string;
  readonly milliseconds: number;
  readonly result: string;
}

async function rowOf(name: string, text: string): Promise<Row> {
  const start = process.cpuUsage();
  const { diagnostics } = await parseAgentMdx(START + text);
  const { user, system } = process.cpuUsage(start);
  const result = `${diagnostics.length} diagnostics ${diagnostics[0]?.rule ?? ""}`;
  return { name, milliseconds: (user + system) / 1_000, result };
}

const only = process.argv[2];
await parseAgentMdx(`${START}warm *up* <b>\n- a\n`);
const rows: Row[] = [];
for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
  if (only === undefined || name === only) rows.push(await rowOf(name, text));
}
for (const { name, milliseconds, result } of rows.toSorted((one, other) => other.milliseconds - one.milliseconds)) {
  console.log(`${name.padEnd(16)}${`${milliseconds.toFixed(0)} ms`.padStart(10)}  ${result}`);
}
