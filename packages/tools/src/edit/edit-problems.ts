import { headOf } from "@mdx-ai/loop";
import { linesBefore } from "./find-text.ts";
import { depthText, type IndentUnit, indentOf } from "./indentation.ts";
import { namedCharacter, unusualDifference } from "./lookalikes.ts";

/** The most line numbers that a message lists. */
const LISTED = 10;
/** The most lines of the nearest match that a message shows, and characters of each. */
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;
/** The most lines that a line is compared with, character by character. */
const COMPARED = 20_000;
/** The most lines that are searched for a match. */
const SEARCHED = 200_000;
/** The most equal lines of `old` that are searched: a repeated line is not distinctive. */
const SAME = 10;

/** Lines with a higher similarity count as the same line. */
const MOSTLY_SAME = 0.6;

/** Why a text with several matches cannot be replaced. */
export function ambiguousText(file: Buffer, positions: readonly number[]): string {
  const numbers = [...new Set(positions.slice(0, LISTED).map((position) => linesBefore(file, position) + 1))];
  const more = positions.length > LISTED ? " and more" : "";
  const lines = `${numbers.length === 1 ? "line" : "lines"} ${numbers.join(", ")}${more}`;
  return `\`old\` is in the file ${positions.length} times (${lines}): include more of the text around it, or set \`all\``;
}

/** Why a text without a match cannot be replaced, with the most similar lines. */
export function missingText(text: string, old: string): string {
  const lines = text.split("\n");
  const wanted = old.replace(/\r?\n$/, "").split(/\r?\n/);
  const first = nearestLine(lines, wanted);
  const hint = "read the file again and copy the text exactly, without line numbers";
  if (first === undefined) return `\`old\` is not in the file, nor anything like it: ${hint}`;
  const unusual = unusualText(lines, wanted, first);
  return `\`old\` is not in the file: ${hint}. ${unusual}The nearest match is at line ${first + 1}:\n${exactLines(lines, first, wanted.length)}`;
}

/** The lines with their numbers. */
function exactLines(lines: readonly string[], first: number, count: number): string {
  return lines
    .slice(first, first + Math.min(count, SHOWN_LINES))
    .map((line, index) => `${first + index + 1}: ${headOf(line.replace(/\r$/, ""), SHOWN_CHARACTERS)}`)
    .join("\n");
}

/** A difference that is hard to see, named by code points; "" if there is none. */
function unusualText(lines: readonly string[], wanted: readonly string[], first: number): string {
  for (const [index, line] of wanted.entries()) {
    const found = lines[first + index]?.trim() ?? "";
    const difference = likeness(pairsOf(found), pairsOf(line)) > MOSTLY_SAME && unusualDifference(found, line.trim());
    if (!difference) continue;
    const [one, other] = [difference.one, difference.other].map((character) =>
      character === undefined ? "nothing" : namedCharacter(character),
    );
    return `Line ${first + index + 1} has ${one} where \`old\` has ${other}. `;
  }
  return "";
}

/** New lines that do not fit the indentation of a file. */
interface Misplaced {
  /** The matching lines of the file. */
  readonly lines: readonly string[];
  readonly first: number;
  readonly count: number;
  /** The new line. */
  readonly line: string;
  readonly unit: IndentUnit | undefined;
}

/** Why lines that differ only in indentation are not replaced. */
export function misplacedText({ lines, first, count, line, unit }: Misplaced): string {
  const depth = depthText(indentOf(line));
  const kind = unit === undefined ? "" : ` The file has ${unit === "\t" ? "a tab" : `${unit.length} blanks`} a level.`;
  const shown = headOf(line.trim(), SHOWN_CHARACTERS);
  return `\`old\` matches ${count === 1 ? `line ${first + 1}` : `lines ${first + 1}-${first + count}`} only without regard to indentation, and it is not clear how deep the new line ${JSON.stringify(shown)}, ${depth}, belongs there.${kind} Copy \`old\` exactly, without line numbers, and indent \`new\` as it is:\n${exactLines(lines, first, count)}`;
}

/** A line that was found at a very different depth. */
interface Stray {
  readonly index: number;
  readonly asked: string;
  readonly shown: string;
}

/** Why a short line that exists only at another depth is not replaced. */
export function strayText(lines: readonly string[], { index, asked, shown }: Stray): string {
  const outer = lines
    .slice(0, index)
    .findLastIndex((line) => line.trim() !== "" && indentOf(line).length < shown.length);
  const within = outer === -1 ? "" : `, within line ${outer + 1}`;
  const first = outer === -1 || index - outer >= SHOWN_LINES ? index : outer;
  const head = outer === first || outer === -1 ? [] : [exactLines(lines, outer, 1)];
  return `\`old\` is ${depthText(asked)}, but the file has this text only at line ${index + 1}, ${depthText(shown)}${within}. If that line is meant, copy it exactly, without line number, with the lines around it:\n${[...head, exactLines(lines, first, index - first + 1)].join("\n")}`;
}

/** The index where most lines equal the wanted ones, or of the line most similar to the first of them. */
function nearestLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  const places = Map.groupBy(
    wanted.map((line, index) => ({ line: line.trim(), index })).filter(({ line }) => line !== ""),
    ({ line }) => line,
  );
  for (const [index, line] of lines.slice(0, SEARCHED).entries()) {
    for (const place of (places.get(line.trim()) ?? []).slice(0, SAME)) {
      const first = index - place.index;
      // A line such as "}" is not distinctive.
      if (first >= 0) votes.set(first, (votes.get(first) ?? 0) + Math.min(line.trim().length, 40));
    }
  }
  const best = [...votes].reduce((one, other) => (other[1] > one[1] ? other : one), [-1, 0]);
  return best[1] > 3 ? best[0] : similarLine(lines, wanted);
}

/** The index of the line that shares the most character pairs with the first wanted line that is not blank. */
function similarLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const key = wanted.findIndex((line) => line.trim() !== "");
  if (key === -1) return undefined;
  const pairs = pairsOf(wanted[key] ?? "");
  let found: number | undefined;
  let most = 0.5;
  for (const [index, line] of lines.slice(0, COMPARED).entries()) {
    const similarity = likeness(pairs, pairsOf(headOf(line, 1_000)));
    if (similarity <= most) continue;
    most = similarity;
    found = Math.max(0, index - key);
  }
  return found;
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim();
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}

/** The similarity from 0 to 1, by the character pairs that two lines share. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared += 1;
  return (2 * shared) / (one.size + other.size);
}
