import { shellWord } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { COMMAND_NAMES, COMPLETE, GLOBAL } from "./command-spec.ts";

/** A directory as a word in a command line to copy. */
export const directoryWord = (directory: string): string =>
  shellWord(plainLine(directory.startsWith("-") ? `./${directory}` : directory));

/** Words that cannot start a command line that runs an agent. */
const TAKEN: readonly string[] = [...COMMAND_NAMES, ...GLOBAL, COMPLETE];

/** As `directoryWord`, for the first word of `mdx-ai DIR`, which must not be the name of a command. */
export const runWord = (directory: string): string =>
  directoryWord(TAKEN.includes(directory) ? `./${directory}` : directory);
