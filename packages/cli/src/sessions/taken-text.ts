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
  ].join("\n");
}

function fileText(file: RestoredFile): string {
  const path = plainLine(file.path);
  return file.outcome === "left"
    ? `  not restored  ${path}: ${plainLine(file.reason)}`
    : `  ${file.outcome.padEnd(12)}  ${path}`;
}
