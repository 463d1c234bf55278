import { commonRuns } from "./common-runs.ts";
import { EditError } from "./edit-error.ts";
import { misplacedText, strayText } from "./edit-problems.ts";
import { indentOf, indentsInFile, isFarFrom, unitsOf } from "./indentation.ts";
import { keepCharacters } from "./kept-characters.ts";
import { type FoldedText, folded, namedCharacter, unusualDifference } from "./lookalikes.ts";

/** An approximate match. Positions in bytes; the end is exclusive. */
export interface TolerantSpan {
  readonly start: number;
  readonly end: number;
  /** Its replacement. Throws `EditError` if that is unclear. */
  written(): string;
  /** The ignored differences, as the rest of a sentence. */
  overlooked(): string;
}

/** The text of a file, prepared for searching. */
export interface Searched {
  readonly text: string;
  readonly lineEnd: "\n" | "\r\n";
  /** The folded text, in which characters that look alike are equal. */
  readonly alike?: FoldedText | undefined;
}

/** The searched text, and its replacement. */
interface Wanted {
  readonly old: string;
  readonly new: string;
}

/** Matches of text that looks like `old`, also within lines. */
export function alikeSpans(
  { text, lineEnd, alike }: Searched,
  { old, new: replacement }: Wanted,
): readonly TolerantSpan[] {
  const ends = old.includes("\n") ? (["\n", "\r\n"] as const) : [lineEnd];
  const byteAt = bytePositions(text);
  return ends.flatMap((end) => {
    const [wanted, now] = [old, replacement].map((each) => each.replaceAll(/\r?\n/g, end));
    const ranges = alike === undefined ? [] : rangesOf(alike, folded(wanted ?? ""));
    const keep = ranges.length === 0 ? undefined : keepCharacters(wanted ?? "", now ?? "");
    return ranges.map(({ from, to }) => {
      const part = text.slice(from, to);
      const overlooked = (): string => alikeNote(part, wanted ?? "");
      return { start: byteAt(from), end: byteAt(to), written: () => keep?.(part) ?? part, overlooked };
    });
  });
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Matches of a folded text in another; never within a character. */
function rangesOf(shown: FoldedText, wanted: string): readonly Range[] {
  if (wanted === "") return [];
  const ranges: Range[] = [];
  for (let at = shown.text.indexOf(wanted); at !== -1; at = shown.text.indexOf(wanted, at + wanted.length)) {
    const [from, to] = [shown.startOf(at), shown.endOf(at + wanted.length)];
    if (from !== undefined && to !== undefined) ranges.push({ from, to });
  }
  return ranges;
}

/** Converts indexes to positions in bytes; fast in ascending order. */
function bytePositions(text: string): (index: number) => number {
  let [index, position] = [0, 0];
  return (wanted) => {
    if (wanted < index) [index, position] = [0, 0];
    position += Buffer.byteLength(text.slice(index, wanted));
    index = wanted;
    return position;
  };
}

function alikeNote(part: string, old: string): string {
  const { one, other } = unusualDifference(part, old) ?? {};
  const pair = [one, other].map((character) => (character === undefined ? "nothing" : namedCharacter(character)));
  return `matched only by characters that look alike (the file has ${pair[0]} where \`old\` has ${pair[1]}); the file's characters were kept where \`new\` is as \`old\`.`;
}

/**
 * The whole lines that equal the lines of `old` except for blanks at their ends, and their replacement: `new` with the file's
 * indentation. They do not overlap. None if `old` has only blanks.
 */
export function tolerantSpans({ text, lineEnd, alike }: Searched, edit: Wanted): readonly TolerantSpan[] {
  const wanted = linesOf(edit.old);
  const same = (line: string): string => (alike === undefined ? line : folded(line)).trim();
  const trimmed = wanted.map(same);
  if (trimmed.every((line) => line === "")) return [];
  const lines = text.split("\n");
  const compared = alike?.text.split("\n") ?? lines;
  const indexes = indexesOf(compared, trimmed);
  if (indexes.length === 0) return [];
  const starts = startsOf(lines);
  const rewritten = rewriting({ lines, edit, isAlike: alike !== undefined });
  return indexes.map((first) => {
    const found = lines.slice(first, first + wanted.length).map(withoutReturn);
    const start = starts[first] ?? 0;
    const next = starts[first + wanted.length];
    // Includes its line end, unless the file ends without one.
    const isWhole = edit.old.endsWith("\n") && next !== undefined;
    const lastStart = starts[first + wanted.length - 1] ?? 0;
    const end = isWhole ? next : lastStart + Buffer.byteLength(found.at(-1) ?? "");
    const hasEnd = edit.new.endsWith("\n") && isWhole === edit.old.endsWith("\n");
    return {
      ...{ start, end },
      written: () => rewritten({ first, found }).join(lineEnd) + (hasEnd ? lineEnd : ""),
      overlooked: () =>
        alike !== undefined
          ? alikeNote(found.map((line) => line.trim()).join("\n"), wanted.map((line) => line.trim()).join("\n"))
          : "matched only without regard to indentation and trailing blanks; `new` was indented as the file is.",
    };
  });
}

/** Lines of a file that equal the lines of `old` except for blanks. */
interface FoundLines {
  /** The index of the first one. */
  readonly first: number;
  readonly found: readonly string[];
}

interface Rewriting {
  /** The lines of the file. */
  readonly lines: readonly string[];
  readonly edit: Wanted;
  /** Whether the lines may only look alike. */
  readonly isAlike: boolean;
}

/** Compares the lines of an edit once. The result makes the replacement for matching lines of a file. */
function rewriting({ lines, edit, isAlike }: Rewriting): (place: FoundLines) => readonly string[] {
  const [wanted, replacement] = [linesOf(edit.old), linesOf(edit.new)];
  const hasSameEnd = edit.old.endsWith("\n") === edit.new.endsWith("\n");
  const [before, after] = [wanted, replacement].map((lines) => lines.map((line) => line.trim()));
  const { origins, kept } = originsOf(before ?? [], after ?? []);
  const keep = isAlike ? keepCharacters((before ?? []).join("\n"), (after ?? []).join("\n")) : undefined;
  const unitAt = unitsOf(lines);
  const isStray = isShort(wanted);
  return ({ first, found }) => {
    const unit = unitAt(first);
    const key = wanted.findIndex((line) => line.trim() !== "");
    const [asked, shown] = [indentOf(wanted[key] ?? ""), indentOf(found[key] ?? "")];
    // A short line at a very different depth is probably another line.
    if (isStray && isFarFrom(asked, shown, unit)) {
      throw new EditError(strayText(lines, { index: first + key, asked, shown }));
    }
    const contents = keep?.(found.map((line) => line.trim()).join("\n")).split("\n") ?? after ?? [];
    const indents = indentsInFile({ wanted, found, replacement, origins, unit });
    return replacement.map((line, index) => {
      const indent = indents[index];
      if (indent === undefined) throw new EditError(misplacedText({ lines, first, count: found.length, line, unit }));
      if (line.trim() === "") return "";
      const origin = kept[index];
      const isLine = hasSameEnd || index < replacement.length - 1;
      const isSame = isLine && origin !== undefined && blanksAfter(wanted[origin] ?? "") === blanksAfter(line);
      return indent + (contents[index] ?? "") + blanksAfter(isSame ? (found[origin] ?? "") : line);
    });
  };
}

interface Origins {
  /** For each new line, the index of the old line that it repeats or alone replaces. */
  readonly origins: readonly (number | undefined)[];
  /** The lines that it repeats. */
  readonly kept: readonly (number | undefined)[];
}

function originsOf(before: readonly string[], after: readonly string[]): Origins {
  const kept = new Array<number | undefined>(after.length).fill(undefined);
  const origins = [...kept];
  let [old, now] = [0, 0];
  for (const run of [...commonRuns(before, after), { first: before.length, second: after.length, length: 0 }]) {
    if (run.first - old === 1 && run.second - now === 1) origins[now] = old;
    for (let at = 0; at < run.length; at += 1) {
      kept[run.second + at] = run.first + at;
      origins[run.second + at] = run.first + at;
    }
    [old, now] = [run.first + run.length, run.second + run.length];
  }
  return { origins, kept };
}

/** The length of lines that occur in many functions, such as `return None`. */
const SHORT = 60;

/** Whether lines are too common to identify a position, such as brackets alone. */
function isShort(wanted: readonly string[]): boolean {
  const speaking = wanted.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line));
  return speaking.length <= 1 && (speaking[0]?.length ?? 0) <= SHORT;
}

/** The indexes where lines equal the wanted ones except for blanks at their ends; only matches that do not overlap. */
function indexesOf(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  const text = `\n${lines.map((line) => line.trim()).join("\n")}\n`;
  const searched = `\n${wanted.join("\n")}\n`;
  const found: number[] = [];
  let index = 0;
  let counted = 0;
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + searched.length - 1)) {
    for (let end = text.indexOf("\n", counted); end < at; end = text.indexOf("\n", end + 1)) index += 1;
    counted = at;
    found.push(index);
  }
  return found;
}

/** The lines of a text; a line end at its end starts no further line. */
const linesOf = (text: string): readonly string[] => text.replace(/\r?\n$/, "").split(/\r?\n/);

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const blanksAfter = (line: string): string => line.slice(line.trimEnd().length);

/** The position at which each line starts, in bytes. */
function startsOf(lines: readonly string[]): readonly number[] {
  let position = 0;
  return lines.map((line) => {
    const start = position;
    position += Buffer.byteLength(line) + 1;
    return start;
  });
}
