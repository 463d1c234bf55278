import { existsSync } from "node:fs";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { EXIT_CODE } from "../failures/program-error.ts";
import { type MemoryRun, storePath, withNewStore } from "./memory-run.ts";

/** Checks the store and changes nothing. Returns the exit code: 1 if something is wrong. */
export async function verifyMemory(run: MemoryRun): Promise<number> {
  const { args, context } = run;
  const problems = existsSync(storePath(run, false)) ? await withNewStore(run, (store) => store.verify()) : [];
  if (args.switches.has("json")) context.stdout.write(`${jsonText({ state: stateOf(problems), problems }, 2)}\n`);
  else context.stdout.write([stateOf(problems), ...problems].map((line) => `${plainLine(line)}\n`).join(""));
  return problems.length === 0 ? EXIT_CODE.done : EXIT_CODE.failed;
}

const stateOf = (problems: readonly string[]): string => (problems.length === 0 ? "ok" : "broken");
