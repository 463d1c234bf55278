import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import type { ApprovalAnswer } from "@mdx-ai/loop";
import { typedWords } from "@mdx-ai/models/typed-words";
import type { Session } from "@mdx-ai/runtime";
import type { Checkpoint, CheckpointFile, UndoResult } from "@mdx-ai/sessions";
import { type AnswerKey, type Asked, yesOrNo } from "../approval/approval-content.ts";
import { pathFrom } from "../output/line-layout.ts";
import { commandTexts, inputText, undoText } from "../sessions/session-text.ts";
import type { Choose } from "./list-questions.ts";

/** Prompts that are listed, newest first. */
const MAX_LISTED = 30;
/** Files that a question lists. */
const MAX_ASKED = 12;

const UNDO_USAGE = "/undo undoes the last prompt; /undo force also restores files that have changed since";
const REWIND_USAGE =
  "/rewind N undoes prompt N and all after it; /rewind N force also restores files that have changed since";

/** What `/undo` and `/rewind` need. */
export interface UndoContext {
  readonly session: Pick<Session, "undo" | "rewind" | "checkpoints">;
  /** The folder where tools work; paths are shown relative to it. Absolute. */
  readonly folder: string;
  /** Puts the text of an undone prompt into the input, to be edited and sent again. */
  readonly retype: (text: string) => void;
}

/** How `/undo` and `/rewind` ask the user. */
export interface UndoQuestions {
  readonly choose: Choose;
  ask(question: Asked): Promise<ApprovalAnswer>;
}

/**
 * Runs `/undo` and returns the answer. Asks before it leaves a file that has changed since, because the next `/undo` continues with the
 * prompt before. Rejects as `Session.undo` does.
 */
export async function runUndo(
  words: string,
  context: UndoContext,
  { ask }: Pick<UndoQuestions, "ask">,
): Promise<string> {
  if (words !== "" && words !== "force") return UNDO_USAGE;
  const { session, folder } = context;
  const last = words === "" ? (await session.checkpoints()).at(-1) : undefined;
  const isAsked = last?.files.some(hasChangedSince) === true;
  const answer = isAsked ? (await ask(restoreQuestion(last.prompt, [shownFrom(folder, last)]))).answer : undefined;
  if (answer === "no") return "Nothing was undone.";
  const taken = await session.undo({ force: words === "force" || answer === FORCE.answer });
  return taken === undefined ? "There is no prompt to undo." : answerOf(taken, context);
}

function answerOf(taken: UndoResult, { folder, retype }: UndoContext): string {
  retype(typedWords(taken.input));
  return undoText(taken, { folder, from: folder });
}

/**
 * Runs `/rewind` and returns the answer. `list` lists the prompts; without words, the user chooses one and sees the affected files first.
 * Rejects as `Session.rewind` does.
 */
export async function runRewind(words: string, context: UndoContext, questions: UndoQuestions): Promise<string> {
  const { session, folder } = context;
  const prompts = (await session.checkpoints()).map((prompt) => shownFrom(folder, prompt));
  if (words === "list") return listText(prompts);
  const request = words === "" ? await askedRequest(prompts, questions) : readRequest(words);
  if (request === undefined) return words === "" ? "Nothing was undone." : REWIND_USAGE;
  if (request === "nothing") return "There is no prompt to undo.";
  const { prompt, force } = request;
  if (!prompts.some((known) => known.prompt === prompt)) {
    return `This session has no prompt ${prompt}; /rewind list shows the existing ones.`;
  }
  const taken = await session.rewind(prompt, { force });
  return taken === undefined ? "" : answerOf(taken, context);
}

/** A prompt with shortened file paths. */
const shownFrom = (folder: string, { files, ...prompt }: Checkpoint): Checkpoint => ({
  ...prompt,
  files: files.map(({ path, ...file }) => ({ ...file, path: pathFrom(folder, path) })),
});

interface Request {
  readonly prompt: number;
  readonly force: boolean;
}

function readRequest(words: string): Request | undefined {
  const [, number, force] = /^(\d{1,9})(?:\s+(force))?$/.exec(words) ?? [];
  return number === undefined ? undefined : { prompt: Number(number), force: force !== undefined };
}

/** Undefined if the user dismisses the list or answers no. */
async function askedRequest(
  prompts: readonly Checkpoint[],
  { choose, ask }: UndoQuestions,
): Promise<Request | "nothing" | undefined> {
  if (prompts.length === 0) return "nothing";
  const newest = prompts.toReversed();
  const chosen = await choose({
    question: "Which prompt do you want to undo, with all after it?",
    verb: "shows what it would restore",
    choices: newest.map(({ prompt, input, files, commands }) => ({
      title: `${prompt}  ${plainLine(typedWords(input))}`,
      details: changesText(files, commands),
      remark: "",
    })),
  });
  const first = chosen?.type === "picked" ? newest[chosen.index]?.prompt : undefined;
  if (first === undefined) return undefined;
  const taken = prompts.filter(({ prompt }) => prompt >= first);
  const { answer } = await ask(restoreQuestion(first, taken));
  return answer === "no" ? undefined : { prompt: first, force: answer === FORCE.answer };
}

function changesText(files: readonly CheckpointFile[], commands: readonly string[]): string {
  const shown = files.length === 0 ? "no files" : counted(files.length, "file");
  return commands.length === 0 ? shown : `${shown}, ${counted(commands.length, "command")}`;
}

/** Also restores files that have changed since. */
const FORCE: AnswerKey = { key: "f", meaning: "also files that have changed since", answer: "always" };

const EFFECTS: Readonly<Record<CheckpointFile["state"], readonly [verb: string, why?: string]>> = {
  restorable: ["restores"],
  changed_since: ["leaves", "has changed since"],
  not_kept: ["leaves", "its earlier content was not kept"],
};

function restoreQuestion(first: number, taken: readonly Checkpoint[]): Asked {
  // The file's state before its first change decides.
  const changes = taken.flatMap((prompt) => prompt.files.map((file) => [file.path, file] as const));
  const files = new Map(changes.toReversed());
  const texts = [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1)).map(effectText);
  const more = texts.length - MAX_ASKED;
  const lines = [
    ...texts.slice(0, MAX_ASKED),
    ...(more > 0 ? [`… and ${counted(more, "more file")}`] : []),
    ...(texts.length === 0 ? ["no file that builtin tools changed"] : []),
    ...commandTexts(taken.flatMap(({ commands }) => commands)).map((text) => `leaves    ${text}`),
  ];
  const what =
    taken.length === 1 ? `prompt ${first}` : `prompt ${first} and the ${counted(taken.length - 1, "prompt")} after it`;
  const reason = "files return to what they were before, unless they have changed since";
  const question = yesOrNo(`Undo ${what}?`, "undo", { lines, reason });
  return [...files.values()].some(hasChangedSince)
    ? { ...question, keys: question.keys.toSpliced(1, 0, FORCE) }
    : question;
}

const hasChangedSince = ({ state }: CheckpointFile): boolean => state === "changed_since";

function effectText({ path, state, isNew }: CheckpointFile): string {
  const [effect, why] = EFFECTS[state];
  const verb = isNew && state === "restorable" ? "removes" : effect;
  return `${verb.padEnd(9)} ${path}${why === undefined ? "" : ` (${why})`}`;
}

function listText(prompts: readonly Checkpoint[]): string {
  if (prompts.length === 0) return "There is no prompt to undo.";
  const rows = prompts
    .slice(-MAX_LISTED)
    .flatMap(({ prompt, input, files, commands }) => [
      `${String(prompt).padStart(3)}  ${inputText(input)}`,
      ...files.map((file) => `       ${listedFile(file)}`),
      ...commandTexts(commands).map((text) => `       ${text}  (not restored)`),
    ]);
  return [...rows, `${REWIND_USAGE}.`].join("\n");
}

const listedFile = ({ path, state }: CheckpointFile): string => {
  const [, why] = EFFECTS[state];
  return why === undefined ? plainLine(path) : `${plainLine(path)}  (${why}, so it is not restored)`;
};
