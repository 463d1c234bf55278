import { join } from "node:path";
import { shellWord } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { readRunnable } from "@mdx-ai/directory";
import {
  compareLocks,
  type Difference,
  type Grade,
  LOCK_FILE,
  lockText,
  makeLock,
  needsReview,
  readLock,
} from "@mdx-ai/directory/lock";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { requireFolder } from "../arguments/require-folder.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { Paint } from "../output/output.ts";

/** `mdx-ai lock`: records what an agent is and may do, or compares it with the record. Runs no code. */
export async function runLock(args: ParsedArguments, context: CommandContext): Promise<number> {
  const directory = await readRunnable(args.positionals[0] ?? ".", context);
  requireFolder(directory, LOCK_FILE);
  const file = join(directory.path, LOCK_FILE);
  const isCheck = args.switches.has("check");
  const before = isCheck ? readLock(file) : undefined;
  const lock = await makeLock(directory);
  const isJson = args.switches.has("json");
  if (before !== undefined) return reportCheck(compareLocks(before, lock), { path: directory.path, isJson }, context);
  const text = lockText(lock);
  replaceFileSync({ path: file, text, mode: 0o666 });
  context.stdout.write(isJson ? text : `Written: ${plainLine(file)}\n`);
  return EXIT_CODE.done;
}

interface Check {
  readonly path: string;
  readonly isJson: boolean;
}

function reportCheck(differences: readonly Difference[], { path, isJson }: Check, context: CommandContext): number {
  const isWider = differences.some(needsReview);
  if (isJson) context.stdout.write(`${jsonText({ path, isWider, differences }, 2)}\n`);
  else context.stdout.write(differencesText(differences, context.paint));
  const command = `mdx-ai lock ${shellWord(plainLine(path))}`;
  if (isWider) {
    context.stderr.write(
      `mdx-ai: code, schemas or permissions differ from the lock file; review them, then run: ${command}\n`,
    );
  } else if (differences.length > 0) {
    context.stderr.write(`mdx-ai: nothing widened, but the lock file is stale; to rewrite it: ${command}\n`);
  } else if (!isJson) context.stdout.write("Everything matches the lock file.\n");
  return isWider ? EXIT_CODE.failed : EXIT_CODE.done;
}

const COLOURS: Readonly<Record<Grade, "red" | "yellow" | "green" | "dim">> = {
  widened: "red",
  changed: "yellow",
  narrowed: "green",
  noted: "dim",
};

/** Differences as lines for people, the most important first. Empty if there are none. */
export function differencesText(differences: readonly Difference[], paint: Paint): string {
  const grades: readonly Grade[] = ["widened", "changed", "narrowed", "noted"];
  return grades
    .flatMap((grade) => differences.filter((difference) => difference.grade === grade))
    .map(
      ({ grade, subject, text }) => `${paint(COLOURS[grade], grade.padEnd(8))}  ${plainLine(`${subject}: ${text}`)}\n`,
    )
    .join("");
}
