import { plainLine } from "@mdx-ai/directory/text";
import type { Agent, Checkpoint, CheckpointFile, RestoredFile, TakenBack } from "@mdx-ai/runtime";

/** Prompts that are listed, the newest ones. */
const MOST_LISTED = 30;
/** Characters of a prompt's input that are shown. */
const INPUT_LENGTH = 60;

const UNDO_USAGE = "/undo takes back the last prompt; /undo force also restores files that have changed since";
const REWIND_USAGE =
  "/rewind N takes back prompt N and all that follow it; /rewind N force also restores files that have changed since";

type TakingAgent = Pick<Agent, "undo" | "rewind" | "checkpoints">;

/** Runs `/undo` with these words and returns the answer. Rejects as `Agent.undo` does. */
export async function runUndo(agent: TakingAgent, session: string, words: string): Promise<string> {
  if (words !== "" && words !== "force") return UNDO_USAGE;
  const taken = await agent.undo(session, { force: words === "force" });
  return taken === undefined ? "There is no prompt to take back." : takenText(taken);
}

/** Runs `/rewind` with these words and returns the answer; without any it lists the prompts. Rejects as `Agent.rewind` does. */
export async function runRewind(agent: TakingAgent, session: string, words: string): Promise<string> {
  if (words === "") return listText(await agent.checkpoints(session));
  const [, number, force] = /^(\d{1,9})(?:\s+(force))?$/.exec(words) ?? [];
  if (number === undefined) return REWIND_USAGE;
  const prompts = await agent.checkpoints(session);
  if (!prompts.some(({ prompt }) => prompt === Number(number))) {
    return `This session has no prompt ${number}; /rewind lists the existing ones.`;
  }
  const taken = await agent.rewind(Number(number), session, { force: force !== undefined });
  return taken === undefined ? "" : takenText(taken);
}

function listText(prompts: readonly Checkpoint[]): string {
  if (prompts.length === 0) return "There is no prompt to take back.";
  const rows = prompts
    .slice(-MOST_LISTED)
    .flatMap(({ prompt, input, files, isWhole }) => [
      `${String(prompt).padStart(3)}  ${inputText(input)}`,
      ...files.map((file) => `       ${listedFile(file)}`),
      ...(isWhole ? [] : ["       other files may have changed while a command ran"]),
    ]);
  return [...rows, `${REWIND_USAGE}.`].join("\n");
}

const listedFile = ({ path, isCertain }: CheckpointFile): string =>
  isCertain ? plainLine(path) : `${plainLine(path)}  (changed while a command ran, and is not restored)`;

function inputText(input: string): string {
  const line = plainLine(input);
  return line.length > INPUT_LENGTH ? `${line.slice(0, INPUT_LENGTH)}…` : line;
}

function takenText({ to, input, files, isWhole }: TakenBack): string {
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
