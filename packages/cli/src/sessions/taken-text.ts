import { plainLine } from "@mdx-ai/directory/text";
import type { RestoredFile, TakenBack } from "@mdx-ai/runtime";

/** Characters of a prompt's input that are shown. */
const INPUT_LENGTH = 60;

/** The input of a prompt, as one short line. */
export function inputText(input: string): string {
  const line = plainLine(input);
  return line.length > INPUT_LENGTH ? `${line.slice(0, INPUT_LENGTH)}…` : line;
}

/** What was taken out of a session, and what became of the files. */
export function takenText({ to, input, files, isWhole }: TakenBack): string {
  const what = input === "" ? "Taken back" : `Taken back: ${inputText(input)}`;
  const from = to === 0 ? "before the first prompt" : `the end of prompt ${to}`;
  return [
    `${what}; the session continues from ${from}.`,
    ...files.filter(({ outcome }) => outcome !== "unchanged").map(fileText),
    ...(isWhole ? [] : ["  other files may have changed while a command ran"]),
    ...(files.some((file) => file.outcome === "left" && file.isByCommand) || !isWhole ? [WITH_GIT] : []),
  ].join("\n");
}

const WITH_GIT =
  "In a git repository, `git diff -- FILE` shows what a command changed, and `git restore -- FILE` takes it back with all changes since the last `git add`.";

function fileText(file: RestoredFile): string {
  const path = plainLine(file.path);
  return file.outcome === "left"
    ? `  not restored  ${path}: ${plainLine(file.reason)}`
    : `  ${file.outcome.padEnd(12)}  ${path}`;
}
