import { dirname, join } from "node:path";
import { sweepDraftsOfFiles } from "@mdx-ai/base/disk";
import {
  areRecorded,
  type CheckpointLine,
  type FileChange,
  fileChanges,
  isAsBefore,
  isAsLeft,
} from "../checkpoints/checkpoint-line.ts";
import { CheckpointStore, currentHash, type Taking } from "../checkpoints/checkpoint-store.ts";
import type { PastPrompt, Session, SessionPast } from "../session/session.ts";
import { UnknownPromptError } from "../session/transcript.ts";
import type { Checkpoint, CheckpointFile, RestoredFile, TakeBackOptions, TakenBack } from "../types/checkpoint.ts";

/** A session that lives in memory keeps no files, and cannot go back. */
class NotKeptError extends Error {
  override readonly name = "NotKeptError";

  constructor() {
    super("this session is not kept on disk: nothing of it can be taken back");
  }
}

/** The store of a session's checkpoints. */
export const checkpointStore = ({ folder, marks }: SessionPast): CheckpointStore =>
  new CheckpointStore(join(folder, "checkpoints"), marks);

/** As `Agent.checkpoints`. */
export function listCheckpoints({ past }: Session): readonly Checkpoint[] {
  if (past === undefined) return [];
  const lines = checkpointStore(past).lines();
  const byPrompt = Map.groupBy(lines, ({ prompt }) => prompt);
  const last = new Map(fileChanges(lines).files.map((change) => [change.path, change]));
  const written = new Set(lines.flatMap((line) => (line.type === "file" ? line.path : [])));
  const current = new Map([...written].map((path) => [path, currentHash(path)]));
  return past.prompts().map(({ number, input, writes }): Checkpoint => {
    const own = byPrompt.get(number) ?? [];
    const { files, isWhole } = fileChanges(own);
    const shown = files.map((change) => ({
      path: change.path,
      state: stateOf({ ...(last.get(change.path) ?? change), before: change.before }, current.get(change.path)),
      ...(change.before?.state === "absent" && { isNew: true as const }),
    }));
    return { prompt: number, input, files: shown, isWhole: isWhole && areRecorded(writes, own) };
  });
}

function stateOf(change: FileChange, current: string | undefined): CheckpointFile["state"] {
  const { before } = change;
  if (before === undefined) return "uncertain";
  if (before.state === "left_out") return "not_kept";
  return isAsBefore(before, current) || isAsLeft(change, current) ? "restorable" : "changed_since";
}

/** What is taken back: the last prompt, or this one and all after it. */
interface TakeBackRequest extends TakeBackOptions {
  readonly prompt?: number;
}

/**
 * As `Agent.undo` and `Agent.rewind`; no prompt of the session runs. What is to be done is on disk before the first file is restored,
 * and each part of it may be done twice: so the next call finishes what a crash cut short.
 */
export async function takeBack(
  session: Session,
  { prompt, force = false }: TakeBackRequest,
): Promise<TakenBack | undefined> {
  const { past } = session;
  if (past === undefined) throw new NotKeptError();
  const { interrupted } = session;
  if (interrupted !== undefined) await session.closeInterrupted(interrupted.prompt);
  const store = checkpointStore(past);
  const { lastPrompt } = session;
  const { taking } = store;
  const finished = taking?.lastPrompt === lastPrompt ? await take(taking, { past, store, input: "" }) : undefined;
  if (finished !== undefined && (prompt === undefined || prompt > finished.to)) return finished;
  const prompts = past.prompts();
  const first = prompt === undefined ? prompts.at(-1) : prompts.find(({ number }) => number === prompt);
  if (first === undefined && prompt === undefined) return undefined;
  if (first === undefined) throw unknownPrompt(session.id, prompt ?? 0, prompts);
  const to = prompts[prompts.indexOf(first) - 1]?.number ?? 0;
  const begun = { to, lastPrompt, force };
  store.beginTaking(begun);
  return take(begun, { past, store, input: first.input });
}

const unknownPrompt = (id: string, prompt: number, prompts: readonly PastPrompt[]): UnknownPromptError =>
  new UnknownPromptError(
    id,
    prompt,
    prompts.map(({ number }) => number),
  );

interface TakingParts {
  readonly past: SessionPast;
  readonly store: CheckpointStore;
  readonly input: string;
}

async function take({ to, force }: Taking, { past, store, input }: TakingParts): Promise<TakenBack> {
  const { restoreFile } = await import("../checkpoints/restore-file.ts");
  const lines = store.lines().filter(({ prompt }) => prompt > to);
  const { files, isWhole } = fileChanges(lines);
  const byPrompt = Map.groupBy(lines, ({ prompt }) => prompt);
  const areAllRecorded = past
    .prompts()
    .every(({ number, writes }) => number <= to || areRecorded(writes, byPrompt.get(number) ?? []));
  const restored: RestoredFile[] = [];
  // The tools of the prompt, or an earlier attempt to take it back, may have been killed while they wrote.
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) sweepDraftsOfFiles(folder);
  for (const file of files) restored.push(await restoreFile(file, { store, force }));
  await past.rewind(to);
  const undone: CheckpointLine = { type: "undone", to };
  store.append(undone);
  store.endTaking();
  return { to, input, files: restored, isWhole: isWhole && areAllRecorded };
}
