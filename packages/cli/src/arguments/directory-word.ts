import { shellWord } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { COMMAND_NAMES, COMPLETE, GLOBAL } from "./command-spec.ts";

/** A directory as a word of a command line to copy. */
export const directoryWord = (directory: string): string =>
  shellWord(plainLine(directory.startsWith("-") ? `./${directory}` : directory));

/** Words with which a command line that runs an agent cannot begin. */
const TAKEN: readonly string[] = [...COMMAND_NAMES, ...GLOBAL, COMPLETE];

/** The same as the first word, as in `mdx-ai DIR`, where the name of a command would be that command. */
export const runWord = (directory: string): string =>
  directoryWord(TAKEN.includes(directory) ? `./${directory}` : directory);
