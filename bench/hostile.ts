// Prints, for each kind of hostile text of 100 KB, worst first: the time of the processor that parsing takes, and the time until
// `mdx-ai check` (dist/mdx-ai, or the source) has said everything. One kind alone if it is named: npm run bench:hostile -- nestedLinks
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { HOSTILE_TEXTS } from "../test/support/hostile-texts.ts";

const START = "# Agent: A\n\n## Purpose\n\nP\n\n";

const BUILT = join(import.meta.dir, "../dist/mdx-ai");
const PROGRAM = existsSync(BUILT) ? [BUILT] : [process.execPath, join(import.meta.dir, "../packages/cli/src/main.ts")];

/** Times in milliseconds. */
interface Row {
  readonly name: string;
  readonly parsing: number;
  readonly checking: number;
  readonly result: string;
}

async function rowOf(name: string, text: string): Promise<Row> {
  const start = process.cpuUsage();
  const { diagnostics } = await parseAgentMdx(START + text);
  const { user, system } = process.cpuUsage(start);
  const result = `${diagnostics.length} diagnostics ${diagnostics[0]?.rule ?? ""}`;
  return { name, parsing: (user + system) / 1_000, checking: await checkingTime(START + text), result };
}

/** With an empty cache. */
async function checkingTime(text: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-hostile-"));
  try {
    await Bun.write(join(folder, "agent/agent.mdx"), text);
    const start = performance.now();
    const program = Bun.spawn([...PROGRAM, "check", join(folder, "agent")], {
      env: { HOME: folder, PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "ignore"],
    });
    await program.stdout.text();
    await program.exited;
    return performance.now() - start;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const only = process.argv[2];
await parseAgentMdx(`${START}warm *up* <b>\n- a\n`);
const rows: Row[] = [];
for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
  if (only === undefined || name === only) rows.push(await rowOf(name, text));
}
const column = (milliseconds: number): string => `${milliseconds.toFixed(0)} ms`.padStart(10);
console.log(`${"".padEnd(16)}${"parsing".padStart(10)}${"check".padStart(10)}`);
for (const { name, parsing, checking, result } of rows.toSorted((one, other) => other.checking - one.checking)) {
  console.log(`${name.padEnd(16)}${column(parsing)}${column(checking)}  ${result}`);
}
