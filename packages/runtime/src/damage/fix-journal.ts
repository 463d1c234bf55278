import { linkSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failureText, ifExists, unlessTaken } from "@mdx-ai/base";
import { readEnd, replaceFileSync, timeName } from "@mdx-ai/base/disk";
import { asJournalError } from "../journal/journal.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { damageTexts, findDamage, needsRewrite } from "./find-damage.ts";

/** A journal without damage. */
export interface FixedJournal {
  readonly lines: readonly JournalLine[];
  /** The damage found; absent if there was none. */
  readonly fix?: JournalFix;
}

/** The damage of a journal that was fixed. */
export interface JournalFix {
  /** For people, one text for each kind of damage. */
  readonly damage: readonly string[];
  /** The files that keep the original: the whole journal or its torn line, then the history view if it was set aside. */
  readonly kept: readonly string[];
}

/**
 * Reads a journal and fixes its damage; a missing file is an empty journal. An unfinished last line is cut off and
 * kept. If lines cannot be read, or a tool call has no result, the journal is rewritten; the damaged one is kept whole,
 * and so is `history.json` beside it, which may show what the journal has lost. `now` is milliseconds since 1970 and names
 * the kept files. Throws `JournalError` if that fails, or at a line of a newer version: then the journal is unchanged.
 */
export function readFixedJournal(path: string, now: number = Date.now()): FixedJournal {
  const seen = lookAtJournal(path);
  const { lines, damage } = findDamage(seen);
  if (damage === undefined) return { lines };
  const kept = needsRewrite(damage) ? rewriteJournal(path, lines, now) : [cutTornLine(path, seen.end)];
  return { lines, fix: { damage: damageTexts(path, damage), kept } };
}

/** "line 3 of journal.jsonl cannot be read; fixed, the original is kept as …", for people. */
export const fixText = ({ damage, kept: [original] }: JournalFix): string =>
  `${damage.join("; ")}; fixed, the original is kept as ${original}`;

function cutTornLine(path: string, end: number): string {
  const kept = `${path}.torn-${end}`;
  const failure = (cause: unknown): string =>
    `cannot set the unfinished last line of ${path} aside: ${failureText(cause)}`;
  return asJournalError(() => {
    writeFileSync(kept, readEnd(path, end), { mode: 0o600 });
    truncateSync(path, end);
    return kept;
  }, failure);
}

/**
 * Replaces the lines of a journal, and keeps the original as `readFixedJournal` does: a crash leaves the old journal or the new
 * one under its name. Returns the paths of the kept files. Throws `JournalError`.
 */
export function rewriteJournal(path: string, lines: readonly JournalLine[], now: number): readonly string[] {
  const failure = (cause: unknown): string =>
    `cannot fix ${path}, which is damaged: ${failureText(cause)}; it was not changed`;
  return asJournalError(() => {
    const kept: string[] = [];
    const beforeRename = (): void => {
      const journal = keepUnder(path, `${path}.damaged-${timeName(now)}`);
      // Before the new journal has its name: beside an empty one the view would count as a sign of a lost journal.
      kept.push(journal, ...keepHistory(dirname(path), journal.slice(path.length)));
    };
    replaceFileSync({ path, text: textOf(lines), beforeRename });
    return kept;
  }, failure);
}

/** Line by line, since a journal may be long. */
function* textOf(lines: readonly JournalLine[]): Generator<string, void, undefined> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/** A hard link takes no space and is complete at once. No file that was kept before is replaced. */
function keepUnder(path: string, name: string): string {
  for (let count = 1; ; count++) {
    const kept = count === 1 ? name : `${name}_${count}`;
    if (unlessTaken(() => linkSync(path, kept))) return kept;
  }
}

/**
 * Renames the history view of a session's folder, so that the next opening writes a new one. Returns the new path, which ends
 * with `suffix`; nothing if there is no view. Throws what the file system says.
 */
export function keepHistory(folder: string, suffix: string): readonly string[] {
  const history = join(folder, "history.json");
  const kept = ifExists(() => {
    renameSync(history, history + suffix);
    return [history + suffix];
  });
  return kept ?? [];
}
