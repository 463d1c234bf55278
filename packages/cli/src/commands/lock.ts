import { join } from "node:path";
import { shellWord } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { readRunnable } from "@mdx-ai/directory";
import {
  type Change,
  changeLine,
  difference,
  type Grade,
  LOCK_FILE,
  lockEntries,
  lockText,
  longValues,
  needsReview,
  readLock,
} from "@mdx-ai/directory/lock";
import { textDifference } from "@mdx-ai/directory/testing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { requireFolder } from "../arguments/require-folder.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { Paint } from "../output/output.ts";
import { differenceText } from "../testing/test-report.ts";

/** `mdx-ai lock`: records what an agent is and may do, or compares it with a lock file. Runs no code. */
export async function runLock(args: ParsedArguments, context: CommandContext): Promise<number> {
  const directory = await readRunnable(args.positionals[0] ?? ".", context);
  requireFolder(directory, LOCK_FILE);
  const file = join(directory.path, LOCK_FILE);
  const isCheck = args.switches.has("check");
  const before = isCheck ? readLock(file) : undefined;
  const lock = await lockEntries(directory);
  const isJson = args.switches.has("json");
  if (before !== undefined)
    return await reportCheck(difference(before, lock), { path: directory.path, isJson }, context);
  const text = lockText(lock);
  replaceFileSync({ path: file, text, mode: 0o666 });
  context.stdout.write(isJson ? text : `Written: ${plainLine(file)}\n`);
  return EXIT_CODE.done;
}

interface Check {
  readonly path: string;
  readonly isJson: boolean;
}

async function reportCheck(
  found: readonly Change[],
  { path, isJson }: Check,
  context: CommandContext,
): Promise<number> {
  const differences = byGrade(found);
  const isWider = differences.some(needsReview);
  if (isJson) context.stdout.write(`${jsonText({ path, isWider, differences }, 2)}\n`);
  else context.stdout.write(await differencesText(differences, context.paint));
  const command = `mdx-ai lock ${shellWord(plainLine(path))}`;
  if (isWider) {
    context.stderr.write(
      `mdx-ai: code, schemas or permissions differ from the lock file; review them, then run: ${command}\n`,
    );
  } else if (differences.length > 0) {
    context.stderr.write(`mdx-ai: no access widened, but the lock file is out of date; to update it: ${command}\n`);
  } else if (!isJson) context.stdout.write("Everything matches the lock file.\n");
  return isWider ? EXIT_CODE.failed : EXIT_CODE.done;
}

const COLOURS: Readonly<Record<Grade, "red" | "yellow" | "green" | "dim">> = {
  widened: "red",
  changed: "yellow",
  narrowed: "green",
  noted: "dim",
};

/** Changes as lines, the most important first; long values are compared line by line. Empty if there are none. */
export async function differencesText(changes: readonly Change[], paint: Paint): Promise<string> {
  return (await Promise.all(byGrade(changes).map((change) => changeText(change, paint)))).join("");
}

const GRADES: readonly Grade[] = ["widened", "changed", "narrowed", "noted"];

/** Changes, the most important first. */
const byGrade = (changes: readonly Change[]): readonly Change[] =>
  GRADES.flatMap((grade) => changes.filter((change) => change.grade === grade));

async function changeText(change: Change, paint: Paint): Promise<string> {
  const head = `${paint(COLOURS[change.grade], change.grade.padEnd(8))}  ${changeLine(change)}\n`;
  const values = longValues(change);
  const lines = values === undefined ? [] : await textDifference(...values);
  return head + lines.map((line) => `          ${differenceText(line, paint)}`.trimEnd().concat("\n")).join("");
}
