import { dirname } from "node:path";
import { removeTempFilesIn } from "@mdx-ai/base/disk";
import type { UndoPlan } from "@mdx-ai/loop";
import { typedText } from "@mdx-ai/models/typed-words";
import {
  type Checkpoint,
  type CheckpointFile,
  commandsOf,
  currentHash,
  type FileChange,
  fileChanges,
  isAsBefore,
  isAsLeft,
  KeptContents,
  type OpenedSession,
  type RestoredFile,
  type SessionHistory,
  type SessionPast,
  type SessionPrompt,
  standingPrompts,
  type UndoOptions,
  type UndoResult,
  UnknownPromptError,
} from "@mdx-ai/sessions";
import type { SelfEditor } from "../types/self-edit.ts";
import { madeChanges } from "./self-edit-tool.ts";

/** A session in memory keeps no file contents and cannot be rewound. */
class NotKeptError extends Error {
  override readonly name = "NotKeptError";

  constructor() {
    super("this session is not stored on disk, so it cannot be undone");
  }
}

/** As `Session.checkpoints`. */
export function listCheckpoints({ past }: OpenedSession): readonly Checkpoint[] {
  if (past === undefined) return [];
  const history = past.history();
  const standing = standingPrompts(history);
  const last = new Map(fileChanges(standing).map((change) => [change.path, change]));
  const current = new Map([...last.keys()].map((path) => [path, currentHash(path)]));
  return endedPrompts(history).map((prompt): Checkpoint => {
    const files = fileChanges(standing.includes(prompt) ? [prompt] : []).map((change) => ({
      path: change.path,
      state: stateOf({ ...(last.get(change.path) ?? change), before: change.before }, current.get(change.path)),
      ...(change.before.state === "absent" && { isNew: true as const }),
    }));
    return { prompt: prompt.number, input: inputOf(prompt), files, commands: commandsOf(prompt) };
  });
}

function stateOf(change: FileChange, current: string | undefined): CheckpointFile["state"] {
  const { before } = change;
  if (before.state === "left_out") return "not_kept";
  return isAsBefore(before, current) || isAsLeft(change, current) ? "restorable" : "changed_since";
}

/** The prompts of the transcript since it was last cleared, in their order. */
export const endedPrompts = ({ path }: SessionHistory): readonly SessionPrompt[] =>
  path.filter(({ number, hasEnded }) => number > 0 && hasEnded);

const inputOf = ({ begin }: SessionPrompt): string => (begin === undefined ? "" : typedText(begin.message));

/** What to undo: the last prompt, or the given one and all after it. */
interface UndoRequest extends UndoOptions {
  readonly prompt?: number;
  readonly selfEditor?: Pick<SelfEditor, "takeBack"> | undefined;
}

/**
 * As `Session.undo` and `Session.rewind`, while no prompt of the session runs. The plan is on disk before the first file is restored,
 * and each part of it may be done twice, so the next call finishes the work after a crash.
 */
export async function undo(
  session: OpenedSession,
  { prompt, force = false, selfEditor }: UndoRequest,
): Promise<UndoResult | undefined> {
  const { past, interrupted } = session;
  if (past === undefined) throw new NotKeptError();
  if (interrupted !== undefined) await session.closeInterrupted(interrupted.prompt);
  const { lastPrompt } = session;
  const { unfinishedUndo } = past.history().own;
  const finished =
    unfinishedUndo?.lastPrompt === lastPrompt
      ? await carryOut(unfinishedUndo, { past, input: "", selfEditor })
      : undefined;
  if (finished !== undefined && (prompt === undefined || prompt > finished.to)) return finished;
  const prompts = endedPrompts(past.history());
  const first = prompt === undefined ? prompts.at(-1) : prompts.find(({ number }) => number === prompt);
  if (first === undefined && prompt === undefined) return undefined;
  if (first === undefined) {
    const numbers = prompts.map(({ number }) => number);
    throw new UnknownPromptError(session.id, prompt ?? 0, numbers);
  }
  const plan = { to: prompts[prompts.indexOf(first) - 1]?.number ?? 0, lastPrompt, force };
  await past.beginUndo(plan);
  return carryOut(plan, { past, input: inputOf(first), selfEditor });
}

interface UndoParts {
  readonly past: SessionPast;
  readonly input: string;
  readonly selfEditor: Pick<SelfEditor, "takeBack"> | undefined;
}

async function carryOut({ to, force }: UndoPlan, { past, input, selfEditor }: UndoParts): Promise<UndoResult> {
  const { restoreFile } = await import("../checkpoints/restore-file.ts");
  const undone = standingPrompts(past.history()).filter(({ number }) => number > to);
  const changes = fileChanges(undone);
  // The prompt's tools, or an earlier undo, may have been killed during a write.
  for (const folder of new Set(changes.map(({ path }) => dirname(path)))) removeTempFilesIn(folder);
  const contents = new KeptContents(past.folder);
  const files: RestoredFile[] = [];
  for (const change of changes) files.push(await restoreFile(change, { contents, force }));
  const made = undone.flatMap(madeChanges).toReversed();
  const commit = made.length === 0 ? undefined : await selfEditor?.takeBack(made);
  await past.rewind(to, true);
  return { to, input, files, commands: undone.flatMap(commandsOf), ...(commit !== undefined && { commit }) };
}
