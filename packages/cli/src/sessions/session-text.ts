import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersFrom, shortened } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { figuresText, type Part, type Passage, passages } from "@mdx-ai/directory/views/passages";
import { typedWords } from "@mdx-ai/models/typed-words";
import type { RestoredFile, SessionRecord, SessionSummary, UndoResult } from "@mdx-ai/sessions";
import { pathFrom, wrapped } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";

/** Lines of a tool's arguments or result that are shown. An export shows all. */
const CODE_LINES = 10;

/** The indent of messages, so that no line looks like a heading. */
const INDENT = "  ";

/** Longer speaker names are cut, so that headings do not wrap. */
const MAX_SPEAKER = 40;

/** A session for the terminal: headings at the margin, messages indented. `redact` receives whole texts, since a secret may span lines. */
export const sessionText = (
  { summary, messages }: SessionRecord,
  { paint, redact }: { readonly paint: Paint; readonly redact: (text: string) => string },
): string => {
  const redacted = (part: Part): Part => (part.type === "image" ? part : { ...part, text: redact(part.text) });
  const shown = passages(messages).map((one) => passageText({ ...one, parts: one.parts.map(redacted) }, paint));
  return redact([headText(summary, paint), ...shown].join("\n"));
};

const headText = (summary: SessionSummary, paint: Paint): string =>
  `${paint("bold", `Session ${plainLine(summary.id)}`)}\n${paint("dim", figuresText(summary))}\n`;

/** As `sessionText`, wrapped to a width; continuation lines stay indented. */
export const wrappedSession = (text: string, columns: number): string =>
  text
    .split("\n")
    .flatMap((line) =>
      line.startsWith(INDENT) ? wrapped(line.slice(INDENT.length), columns, INDENT) : wrapped(line, columns),
    )
    .join("\n");

function passageText({ side, speaker, time, parts }: Passage, paint: Paint): string {
  const name = shortened(speaker, MAX_SPEAKER);
  // A model may use any name for a tool.
  const head = side === "tool" ? paint("dim", `result of ${name}`) : paint("bold", name);
  const lines = parts.flatMap((part) => partLines(part, paint)).map((line) => `${INDENT}${line}\n`);
  return `${head} ${paint("dim", time)}\n${lines.join("")}`;
}

function partLines(part: Part, paint: Paint): readonly string[] {
  const painted = (style: Parameters<Paint>[0], text: string): readonly string[] =>
    text.split("\n").map((line) => paint(style, line));
  switch (part.type) {
    case "text":
      return part.text.split("\n");
    case "thinking":
      return painted("dim", part.text);
    case "failure":
      return painted("red", part.text);
    case "code":
      return codeLines(part.label, part.text, paint);
    case "image":
      return painted("dim", `[${part.mimeType}]`);
  }
}

function codeLines(label: string, text: string, paint: Paint): readonly string[] {
  const lines = text.split("\n");
  const more = lines.length - CODE_LINES;
  const shown = lines.slice(0, CODE_LINES).map((line) => `  ${line}`);
  const rest = more > 0 ? [paint("dim", `  … ${counted(more, "more line")}; an export shows all`)] : [];
  return [...(label === "" ? [] : [paint("green", label)]), ...shown, ...rest];
}

/** Characters shown of a prompt's input. */
const INPUT_LENGTH = 60;

/** A prompt's input as one short line. */
export function inputText(input: string): string {
  const line = plainLine(typedWords(input));
  return shortened(line, INPUT_LENGTH);
}

interface UndonePlace {
  /** The folder where the session's tools worked. Absolute. */
  readonly folder: string;
  /** Paths of files are shown relative to this folder. Absolute. */
  readonly from: string;
}

/** What an undo removed from the session, what happened to the files, and what was not restored. */
export function undoText(
  { to, input, files, commands, commit }: UndoResult,
  { folder, from: shownFrom }: UndonePlace,
): string {
  const what = input === "" ? "Undone" : `Undone: ${inputText(input)}`;
  const from = to === 0 ? "before the first prompt" : `the end of prompt ${to}`;
  return [
    `${what}; the session continues from ${from}.`,
    ...files.filter(({ outcome }) => outcome !== "unchanged").map((file) => fileText(file, shownFrom)),
    ...(commit === undefined ? [] : [`  ${plainLine(commit)}`]),
    ...commandTexts(commands).map((text) => `  not restored  ${text}`),
    ...(commands.length > 0 && isInRepository(folder) ? [WITH_GIT] : []),
  ].join("\n");
}

/** Commands that are listed. */
const MAX_COMMANDS = 12;

/** Commands whose changes an undo does not restore, one per line. */
export function commandTexts(commands: readonly string[]): readonly string[] {
  const more = commands.length - MAX_COMMANDS;
  return [
    ...commands.slice(0, MAX_COMMANDS).map((command) => `what a command changed: ${inputText(command)}`),
    ...(more > 0 ? [`what ${counted(more, "more command")} changed`] : []),
  ];
}

const isInRepository = (folder: string): boolean => foldersFrom(folder).some((each) => existsSync(join(each, ".git")));

const WITH_GIT =
  "`git status` lists what a command changed, created and removed, `git diff -- FILE` shows a change, and `git restore -- FILE` undoes it with all changes since the last `git add`.";

function fileText(file: RestoredFile, from: string): string {
  const path = plainLine(pathFrom(from, file.path));
  return file.outcome === "left"
    ? `  not restored  ${path}: ${plainLine(file.reason)}`
    : `  ${file.outcome.padEnd(12)}  ${path}`;
}
