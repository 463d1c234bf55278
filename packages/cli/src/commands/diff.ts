import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readRunnable } from "@mdx-ai/directory";
import { type Change, difference, type Entry, lockEntries, readLock } from "@mdx-ai/directory/lock";
import { jsonText } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { type PromptSizes, promptSizes } from "../inspection/inspection.ts";
import type { Paint } from "../output/output.ts";
import { differencesText } from "./lock.ts";

/** `mdx-ai diff`: compares two agents, or two states of one. The exit code is 1 if they differ. Runs no code. */
export async function runDiff(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [one = ".", other = "."] = args.positionals;
  const before = await readSide(one, context);
  const after = await readSide(other, context);
  const differences = difference(before.lock, after.lock);
  const report: DiffReport = {
    isEqual: differences.length === 0,
    prompt: { before: before.sizes ?? null, after: after.sizes ?? null },
    differences,
  };
  context.stdout.write(
    args.switches.has("json") ? `${jsonText(report, 2)}\n` : await reportText(report, context.paint),
  );
  return report.isEqual ? EXIT_CODE.done : EXIT_CODE.failed;
}

interface DiffReport {
  readonly isEqual: boolean;
  /** Null for a lock file, which does not contain it. */
  readonly prompt: { readonly before: PromptSizes | null; readonly after: PromptSizes | null };
  readonly differences: readonly Change[];
}

interface Side {
  readonly lock: readonly Entry[];
  /** Absent for a lock file. */
  readonly sizes?: PromptSizes;
}

/** Rejects with `UsageError` or `InvalidDirectoryError` if a path is neither an agent directory nor a lock file. */
async function readSide(given: string, context: CommandContext): Promise<Side> {
  const path = resolve(context.currentDirectory, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return { lock: readLock(path) };
  const directory = await readRunnable(given, context);
  return { lock: await lockEntries(directory), sizes: await promptSizes(directory, context) };
}

async function reportText({ isEqual, prompt, differences }: DiffReport, paint: Paint): Promise<string> {
  const sizes = prompt.before !== null && prompt.after !== null ? sizesText(prompt.before, prompt.after) : "";
  return `${sizes}${isEqual ? "No differences.\n" : await differencesText(differences, paint)}`;
}

function sizesText(before: PromptSizes, after: PromptSizes): string {
  const part = (name: string, from: number, to: number): string =>
    `${name} about ${from.toLocaleString("en")}${from === to ? "" : ` → ${to.toLocaleString("en")}`} tokens`;
  const parts = [
    part("system prompt", before.system.tokens, after.system.tokens),
    part("tools", before.tools.tokens, after.tools.tokens),
  ];
  return `Before the first message: ${parts.join(", ")}\n`;
}
