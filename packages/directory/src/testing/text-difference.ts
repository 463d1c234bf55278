import { type JsonValue, sorted, visibleText } from "@mdx-ai/base";

/** A line of a comparison: only expected, only received, or common. Invisible characters are escaped. */
export interface DifferenceLine {
  readonly mark: "-" | "+" | " ";
  readonly text: string;
}

/** How many equal lines are shown around a difference. */
const AROUND = 3;
const MAX_LINES = 60;
const LINE_WIDTH = 300;
/** How many characters are shown before the index at which two long lines differ. */
const BEFORE_PARTING = 60;
/** The maximum number of edits: with more, the texts have little in common, and the search takes long. */
const MAX_EDITS = 2_000;

/** Compares two texts line by line. */
export async function textDifference(expected: string, received: string): Promise<readonly DifferenceLine[]> {
  const { diffArrays } = await import("diff");
  const [before, after] = [expected.split("\n"), received.split("\n")];
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return capped([...marked("-", before), ...marked("+", after)]);
  const lines = changes.flatMap(({ added, removed, value }) => marked(added ? "+" : removed ? "-" : " ", value));
  return capped(withoutFarLines(withPartings(lines)));
}

/** Compares two values as JSON, ignoring the order of keys. */
export const jsonDifference = (expected: JsonValue, received: unknown): Promise<readonly DifferenceLine[]> =>
  textDifference(sortedLines(expected), sortedLines(received));

const sortedLines = (value: unknown): string => JSON.stringify(sorted(value), undefined, 2);

/** The lines of a text without a comparison. */
export const shownText = (text: string): readonly DifferenceLine[] =>
  text === "" ? [] : capped(marked(" ", text.replace(/\n+$/, "").split("\n")));

const marked = (mark: DifferenceLine["mark"], lines: readonly string[]): readonly DifferenceLine[] =>
  lines.map((text) => ({ mark, text: mark === " " ? visibleText(text).trimEnd() : dottedLine(text) }));

/** If a long line replaces another, both are cut to start shortly before the index at which they differ. */
function withPartings(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  return lines.map((line, index) => {
    const other = partnerOf(line, index, lines);
    if (other === undefined || Math.max(line.text.length, other.text.length) <= LINE_WIDTH) return line;
    const start = Math.max(0, partingOf(line.text, other.text) - BEFORE_PARTING);
    return start === 0 ? line : { ...line, text: `…${line.text.slice(start).toWellFormed()}` };
  });
}

/** The line that replaces this one, if it is the only one. */
function partnerOf(
  { mark }: DifferenceLine,
  index: number,
  lines: readonly DifferenceLine[],
): DifferenceLine | undefined {
  if (mark === " ") return undefined;
  const [first, second] = mark === "-" ? [index, index + 1] : [index - 1, index];
  const isPair = lines[first]?.mark === "-" && lines[second]?.mark === "+";
  const isAlone = lines[first - 1]?.mark !== "-" && lines[second + 1]?.mark !== "+";
  return isPair && isAlone ? lines[mark === "-" ? second : first] : undefined;
}

function partingOf(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  return index;
}

/** Long runs of equal lines become one line with an ellipsis. */
function withoutFarLines(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const near = new Set<number>();
  for (const [index, { mark }] of lines.entries()) {
    if (mark === " ") continue;
    for (let line = index - AROUND; line <= index + AROUND; line += 1) near.add(line);
  }
  return lines.flatMap((line, index) => {
    if (near.has(index)) return [line];
    return index === 0 || near.has(index - 1) ? [{ mark: " ", text: "…" } as const] : [];
  });
}

function capped(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const shown = lines.slice(0, MAX_LINES).map(({ mark, text }) => ({ mark, text: cut(text) }));
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, { mark: " ", text: `… ${more} more lines` }];
}

const cut = (text: string): string =>
  text.length <= LINE_WIDTH ? text : `${text.slice(0, LINE_WIDTH).toWellFormed()}… ${text.length - LINE_WIDTH} more`;

/** A line of a comparison, as `visibleText` shows it; blanks at its end are dots. */
export const dottedLine = (line: string): string =>
  visibleText(line).replace(/ +$/, (blanks) => "·".repeat(blanks.length));
