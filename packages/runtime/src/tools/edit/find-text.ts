/** The positions of a text in another, both in UTF-8; those that do not overlap if `isDisjoint`. */
export function positionsOf(text: Buffer, wanted: Buffer, isDisjoint: boolean): readonly number[] {
  const positions: number[] = [];
  const step = isDisjoint ? wanted.length : 1;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) positions.push(at);
  return positions;
}

/** How many lines end before a position. */
export function linesBefore(text: Buffer, position: number): number {
  // As text of one byte a character, since looking for bytes one by one takes far longer.
  const before = text.toString("latin1", 0, position);
  let count = 0;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Lines that match without regard to indentation and trailing blanks, and what replaces them. Positions in bytes. */
export interface TolerantSpan {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The whole lines of a text that equal those of `old` except for blanks at their ends, with `replacement` indented as they
 * are. They do not overlap. None if `old` has only blanks.
 */
export function tolerantSpans(
  file: Buffer,
  old: string,
  replacement: string,
  lineEnd: "\n" | "\r\n",
): readonly TolerantSpan[] {
  const wanted = linesOf(old);
  const trimmed = wanted.map((line) => line.trim());
  const key = trimmed.findIndex((line) => line !== "");
  if (key === -1) return [];
  const lines = file.toString().split("\n");
  const starts = startsOf(lines);
  const spans: TolerantSpan[] = [];
  for (const first of indexesOf(lines, trimmed)) {
    const found = lines.slice(first, first + wanted.length);
    const start = starts[first] ?? 0;
    const next = starts[first + wanted.length];
    // With its line end, unless the file ends without one.
    const isWhole = old.endsWith("\n") && next !== undefined;
    const lastStart = starts[first + wanted.length - 1] ?? 0;
    const end = isWhole ? next : lastStart + Buffer.byteLength(withoutReturn(found.at(-1) ?? ""));
    const indented = reindented(linesOf(replacement), indentOf(wanted[key] ?? ""), indentOf(found[key] ?? ""));
    const hasEnd = replacement.endsWith("\n") && isWhole === old.endsWith("\n");
    spans.push({ start, end, text: indented.join(lineEnd) + (hasEnd ? lineEnd : "") });
  }
  return spans;
}

/** The indexes at which lines equal the wanted ones but for blanks at their ends; those that do not overlap. */
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

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/** Lines whose common indentation is replaced. */
const reindented = (lines: readonly string[], from: string, to: string): readonly string[] =>
  lines.map((line) => (line.trim() === "" ? "" : line.startsWith(from) ? to + line.slice(from.length) : line));

/** The position at which each line starts, in bytes. */
function startsOf(lines: readonly string[]): readonly number[] {
  let position = 0;
  return lines.map((line) => {
    const start = position;
    position += Buffer.byteLength(line) + 1;
    return start;
  });
}
