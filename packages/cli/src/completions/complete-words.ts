import { plainLine } from "@mdx-ai/directory/text";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { completions } from "./complete.ts";

/** `mdx-ai complete -- WORDS`, which those scripts call: a line for each word that may come last, a tab and its meaning. */
export async function completeWords(args: readonly string[], context: CommandContext): Promise<number> {
  const words = (args[0] === "--" ? args.slice(1) : args).map(unquoted);
  const home = context.environment["HOME"];
  for (const { word, meaning } of await completions(words, { cwd: context.currentDirectory, home })) {
    // A name with a line break would be two.
    if (plainLine(word) === word)
      context.stdout.write(`${word}${meaning === undefined ? "" : `\t${plainLine(meaning)}`}\n`);
  }
  return EXIT_CODE.done;
}

/** A word as a shell would read it, without running anything; the last quote may be open. */
const unquoted = (word: string): string =>
  word.replaceAll(
    /\\(.)|'([^']*)'?|"([^"]*)"?/g,
    (_, escaped = "", single = "", double = "") => escaped + single + double,
  );
