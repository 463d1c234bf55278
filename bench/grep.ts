/** What `grep` costs over 100,000 files, against ripgrep alone, which it uses: the medians, in milliseconds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "@mdx-ai/base/disk";
import { grepTool } from "../packages/tools/src/search/search-tools.ts";
import { median } from "./median.ts";

const FILES = 100_000;
/** One file of so many has a match. */
const NEEDLE_EVERY = 1_000;
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), "mdx-ai-grep-"));
for (let index = 0; index < FILES; index += 1) {
  const inner = join(folder, `${index % 100}`, `${Math.floor(index / 100) % 10}`);
  if (index < 1_000) mkdirSync(inner, { recursive: true });
  const found = index % NEEDLE_EVERY === 0 ? "needle" : "hay";
  writeFileSync(join(inner, `${index}.ts`), `export const value${index} = "${found}";\n`);
}

const context = {
  ...{ agentDir: "/nowhere", cwd: folder, sessionId: "main", callId: "1", signal: new AbortController().signal },
  log: async () => {},
  update: () => {},
};

async function milliseconds(work: () => unknown, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

const program = findProgram("rg", { environment: process.env, outside: [] });
const shown = (label: string, value: number): string => `${label.padEnd(40)} ${value.toFixed(0)} ms`;
const grep = (environment: Record<string, string | undefined>) => async () => {
  const result = String(await grepTool({ environment }).execute({ pattern: "need.e" }, context));
  const lines = result.split("\n").filter((line) => line.includes("needle")).length;
  if (lines !== FILES / NEEDLE_EVERY) throw new Error(`grep found ${lines} lines`);
};
if (program !== undefined) {
  const alone = () => Bun.spawnSync([program, "--hidden", "-n", "need.e", "."], { cwd: folder });
  await milliseconds(alone, 1);
  const floor = await milliseconds(alone);
  const ours = await milliseconds(grep(process.env));
  console.log(shown("ripgrep alone", floor));
  console.log(`${shown("grep with ripgrep", ours)}, ${(ours / floor).toFixed(2)} × ripgrep alone`);
}
console.log(shown("grep without ripgrep", await milliseconds(grep({ PATH: "/nowhere" }), 1)));
rmSync(folder, { recursive: true });
