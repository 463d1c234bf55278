import type { KeptContent, PlannedTool, SeenContent, WrittenFile } from "@mdx-ai/loop";
import type { PromptHistory } from "../history/prompt-history.ts";
import type { SessionHistory, SessionPrompt } from "../history/session-history.ts";

/** How builtin tools changed one file in some prompts. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** Its content before the first change. */
  readonly before: KeptContent;
  /** `contentHash` of its content after the last change. */
  readonly after: string;
  /** The hash of the content before the last change, if a tool wrote it: a failed or interrupted write changed nothing. */
  readonly replaced?: string | undefined;
}

/** Whether a file has its earlier content. The hash comes from `currentHash`. */
export const isAsBefore = (before: Exclude<KeptContent, { state: "left_out" }>, current: string | undefined): boolean =>
  current === (before.state === "absent" ? "absent" : before.hash);

/** Whether a file is as tools last wrote it. A file that is too large, or not a regular file, counts as changed. */
export const isAsLeft = (
  { after, replaced }: Pick<FileChange, "after" | "replaced">,
  current: string | undefined,
): boolean => current !== undefined && [after, replaced].includes(current);

/**
 * The prompts of all branches whose file changes were not undone, in order. A fork begins without any: files are
 * restored only in the session that changed them. Pure.
 */
export const standingPrompts = ({ prompts, own }: SessionHistory): readonly SessionPrompt[] =>
  prompts.filter(({ number }) =>
    own.rewinds.every(
      ({ prompt, afterPrompt, isUndo, promptIds }) =>
        number > afterPrompt || (promptIds === undefined && (!isUndo || number <= prompt)),
    ),
  );

/** The files that builtin tools changed in these prompts, sorted by path. Pure. */
export function fileChanges(prompts: readonly PromptHistory[]): readonly FileChange[] {
  const changes = new Map<string, FileChange>();
  for (const record of prompts.flatMap(({ files }) => files)) {
    if ("after" in record) changes.set(record.path, changeBy(record, changes.get(record.path)));
  }
  return [...changes.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** For a file whose first record in a prompt, with its earlier content, is unreadable. */
const LOST: KeptContent = { state: "left_out", reason: "its record is damaged" };

function changeBy({ path, before, after }: WrittenFile, known: FileChange | undefined): FileChange {
  if (known === undefined) return { path, before: before ?? LOST, after };
  return { path, before: known.before, after, replaced: replacedBy(before, known) };
}

/** The hash of the content that a write replaced, if a tool had written it. */
function replacedBy(before: KeptContent | undefined, known: FileChange): string | undefined {
  if (before === undefined) return known.after;
  return before.state === "kept" && isAsLeft(known, before.hash) ? before.hash : undefined;
}

/** The last version of each file that the tools of these prompts have read, by path. Pure. */
export const seenFiles = (prompts: readonly PromptHistory[]): ReadonlyMap<string, SeenContent> =>
  new Map(
    prompts
      .flatMap(({ files }) => files)
      .map((record) => [
        record.path,
        { path: record.path, ...("after" in record ? { hash: record.after } : record.seen) },
      ]),
  );

/** The commands that ran in a prompt: command lines, or names of tools that run programs. Pure. */
export function commandsOf({ begin, turns }: PromptHistory): readonly string[] {
  const tools = new Map(begin?.plan.tools.filter(runsCommands).map(({ wire, name }) => [wire, name]));
  const started = turns.flatMap(({ calls }) => calls.filter(({ isStarted }) => isStarted));
  return started.flatMap(({ call }) => {
    const { command = tools.get(call.name) } = call.arguments;
    return tools.has(call.name) && typeof command === "string" ? command : [];
  });
}

const runsCommands = ({ origin, effects, readOnly }: PlannedTool): boolean =>
  effects === "runs" || (origin.startsWith("skill:") && readOnly !== true);
