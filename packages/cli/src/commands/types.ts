import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { readRunnable } from "@mdx-ai/directory";
import { TYPES_FILE, TYPES_MARK, typesFile } from "@mdx-ai/directory/checking";
import { plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { requireFolder } from "../arguments/require-folder.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError } from "../failures/program-error.ts";
import { shownPath } from "../output/diagnostics-text.ts";

/** `mdx-ai types`: writes agent.d.ts next to agent.mdx. With `--check`, writes nothing and exits with 1 if it is out of date. */
export async function runTypes(args: ParsedArguments, context: CommandContext): Promise<number> {
  const directory = await readRunnable(args.positionals[0] ?? ".", context);
  requireFolder(directory, TYPES_FILE);
  const path = join(directory.path, TYPES_FILE);
  const shown = plainLine(shownPath(context, directory, TYPES_FILE));
  const text = typesFile(directory.definition);
  if (readOwn(path, shown) === text) {
    context.stdout.write(`${shown} is up to date.\n`);
    return EXIT_CODE.done;
  }
  if (args.switches.has("check")) {
    context.stderr.write(`mdx-ai: ${shown} is out of date; write it with mdx-ai types\n`);
    return EXIT_CODE.failed;
  }
  replaceFileSync({ path, text, mode: 0o666 });
  context.stdout.write(`${shown} written.\n`);
  return EXIT_CODE.done;
}

/** Undefined if the file does not exist. Throws `ProgramError` if another program wrote it. */
function readOwn(path: string, shown: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const text = stats.isFile() ? readFileSync(path, "utf8") : "";
  if (text.split(/\r?\n/, 1)[0] === TYPES_MARK) return text;
  throw new ProgramError(
    `${shown} was not written by mdx-ai types; move it away or give it another name`,
    EXIT_CODE.failed,
  );
}
