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
  /** The hash of the content before the last change, if a tool left it: a write that failed or was cut short changed nothing. */
  readonly replaced?: string | undefined;
}

/** Whether a file, whose hash is as `currentHash` gives it, has its earlier content. */
export const isAsBefore = (before: Exclude<KeptContent, { state: "left_out" }>, current: string | undefined): boolean =>
  current === (before.state === "absent" ? "absent" : before.hash);

/** Whether a file is as its last changes by tools left it. One that is too large, or is no file, counts as changed. */
export const isAsLeft = (
  { after, replaced }: Pick<FileChange, "after" | "replaced">,
  current: string | undefined,
): boolean => current !== undefined && [after, replaced].includes(current);

/**
 * The prompts whose changes of files were not undone, of all branches, in their order. A fork begins without any: files are
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

/** Of a file whose first record in a prompt, which had its earlier content, cannot be read. */
const LOST: KeptContent = { state: "left_out", reason: "its record is damaged" };

function changeBy({ path, before, after }: WrittenFile, known: FileChange | undefined): FileChange {
  if (known === undefined) return { path, before: before ?? LOST, after };
  return { path, before: known.before, after, replaced: replacedBy(before, known) };
}

/** The hash of what a write replaced, if a tool left that. */
function replacedBy(before: KeptContent | undefined, known: FileChange): string | undefined {
  if (before === undefined) return known.after;
  return before.state === "kept" && isAsLeft(known, before.hash) ? before.hash : undefined;
}

/** What the tools of these prompts have seen of each file last, by its path. Pure. */
export const seenFiles = (prompts: readonly PromptHistory[]): ReadonlyMap<string, SeenContent> =>
  new Map(
    prompts
      .flatMap(({ files }) => files)
      .map((record) => [
        record.path,
        { path: record.path, ...("after" in record ? { hash: record.after } : record.seen) },
      ]),
  );

/** The commands that ran in a prompt: command lines, or the names of tools that run programs of their own. Pure. */
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
