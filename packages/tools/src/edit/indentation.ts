/** Blanks and tabs at the start of a line. */
export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/** The most blanks of one level. */
const WIDEST = 8;
/** How many lines are examined, around a position and from the start. */
const AROUND = 100;
const LOOKED_AT = 20_000;

/** One level of indentation: a tab, or some blanks. */
export type IndentUnit = string;

/** Finds the unit of indentation of a file, first near a line; undefined if there is none. */
export function unitsOf(lines: readonly string[]): (line: number) => IndentUnit | undefined {
  // An edit may have very many matches.
  const known = new Map<number, IndentUnit | undefined>();
  let ofAll: { readonly unit: IndentUnit | undefined } | undefined;
  return (line) => {
    const part = Math.floor(line / AROUND);
    if (!known.has(part)) {
      const near = unitOf(lines.slice(Math.max(0, (part - 1) * AROUND), (part + 2) * AROUND));
      if (near === undefined) ofAll ??= { unit: unitOf(lines.slice(0, LOOKED_AT), "") };
      known.set(part, near ?? ofAll?.unit);
    }
    return known.get(part);
  };
}

/** The most frequent step of indentation from one line to the next; the smaller one if two are as frequent. */
function unitOf(lines: readonly string[], before?: string): IndentUnit | undefined {
  const votes = new Map<string, number>();
  for (const step of stepsOf(lines, before)) {
    const unit = step.startsWith("\t") ? "\t" : step;
    if (unit.length > 1 || unit === "\t") votes.set(unit, (votes.get(unit) ?? 0) + 1);
  }
  const best = [...votes].sort(([one, count], [other, most]) => most - count || one.length - other.length);
  return best[0]?.[0];
}

/** The steps by which lines are deeper than the ones before, if only tabs or some blanks. */
function stepsOf(lines: readonly string[], start?: string): readonly string[] {
  const steps: string[] = [];
  let before = start;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    const step = before !== undefined && indent.startsWith(before) ? indent.slice(before.length) : "";
    if (step !== "" && isPure(step) && (step.startsWith("\t") || step.length <= WIDEST)) steps.push(step);
    before = indent;
  }
  return steps;
}

const isPure = (indent: string): boolean => /^(?: *|\t*)$/.test(indent);

/** Lines of an edit that matched lines of a file except for indentation, and the new lines. */
export interface IndentedLines {
  readonly wanted: readonly string[];
  readonly found: readonly string[];
  readonly replacement: readonly string[];
  /** For each new line, the index of the wanted line that it repeats or alone replaces. */
  readonly origins: readonly (number | undefined)[];
  readonly unit: IndentUnit | undefined;
}

/** The indentation of each new line in the file, level by level; undefined where it is unclear. */
export function indentsInFile(lines: IndentedLines): readonly (string | undefined)[] {
  const { wanted, found, replacement, origins } = lines;
  const translation = translationOf(lines);
  return replacement.map((line, index) => {
    if (line.trim() === "") return "";
    const indent = indentOf(line);
    const origin = origins[index] ?? -1;
    const before = wanted[origin] ?? "";
    return before.trim() !== "" && indentOf(before) === indent ? indentOf(found[origin] ?? "") : translation(indent);
  });
}

type Translation = (indent: string) => string | undefined;

function translationOf({ wanted, found, replacement, unit }: IndentedLines): Translation {
  const pairs = wanted.flatMap((line, index) =>
    line.trim() === "" ? [] : [{ wanted: indentOf(line), found: indentOf(found[index] ?? "") }],
  );
  if (pairs.every((pair) => pair.wanted === pair.found))
    return (indent) => (isForeign(indent, unit) ? undefined : indent);
  const known = new Map(pairs.map((pair) => [pair.wanted, pair.found]));
  // The nesting differs.
  if (pairs.some((pair) => known.get(pair.wanted) !== pair.found)) return () => undefined;
  const inSnippet = snippetUnit({ known, wanted, replacement, unit });
  return (indent) => known.get(indent) ?? placed(indent, known, { file: unit, snippet: inSnippet });
}

/** Whether an indentation uses the other character than the file. One blank is the star of a comment. */
const isForeign = (indent: string, unit: IndentUnit | undefined): boolean =>
  unit !== undefined && indent !== " " && !isOf(indent[0] ?? "", unit);

interface Units {
  readonly file: IndentUnit | undefined;
  readonly snippet: IndentUnit | undefined;
}

type Known = ReadonlyMap<string, string>;

/** The indentation some levels away from a known one; undefined if the levels are not whole or negative. */
function placed(indent: string, known: Known, units: Units): string | undefined {
  const near = [...known].sort(([one], [other]) => distance(one, indent) - distance(other, indent));
  const [anchor, inFile] = near.find(([one]) => one.startsWith(indent) || indent.startsWith(one)) ?? [];
  if (anchor === undefined || inFile === undefined) return undefined;
  const isDeeper = indent.length > anchor.length;
  const step = isDeeper ? indent.slice(anchor.length) : anchor.slice(indent.length);
  // No line is less deep than one without indentation.
  if (indent === "" && inFile === "") return "";
  const moved = stepInFile(step, units);
  if (moved === undefined || (inFile !== "" && !isOf(inFile, units.file ?? ""))) return undefined;
  if (isDeeper) return inFile + moved;
  return inFile.endsWith(moved) ? inFile.slice(0, inFile.length - moved.length) : undefined;
}

const distance = (one: string, other: string): number => Math.abs(one.length - other.length);

/** Whether an indentation uses the character of a unit. */
const isOf = (indent: string, unit: IndentUnit): boolean => indent === "" || (isPure(indent) && indent[0] === unit[0]);

function stepInFile(step: string, { file, snippet }: Units): string | undefined {
  if (!isPure(step) || snippet === undefined || !isOf(step, snippet)) return undefined;
  // A file without indentation accepts any.
  if (file === undefined || file === snippet) return step;
  const levels = step.length / snippet.length;
  return Number.isInteger(levels) ? file.repeat(levels) : undefined;
}

interface Snippet extends Pick<IndentedLines, "wanted" | "replacement" | "unit"> {
  readonly known: Known;
}

/** One level in the lines of an edit; undefined if unclear. */
function snippetUnit({ known, wanted, replacement, unit }: Snippet): IndentUnit | undefined {
  const indents = [...wanted, ...replacement].filter((line) => line.trim() !== "").map(indentOf);
  if (indents.some((indent) => indent.includes("\t"))) return indents.every(isTabs) ? "\t" : undefined;
  const compared = unit === undefined ? [] : comparedUnits(known, unit);
  if (compared.length > 0) return compared.every((width) => width === compared[0]) ? blanks(compared[0]) : undefined;
  return blanks(writtenUnit(indents, [wanted, replacement], unit));
}

const isTabs = (indent: string): boolean => /^\t*$/.test(indent);

const blanks = (width: number | undefined): IndentUnit | undefined =>
  width === undefined || !Number.isInteger(width) || width < 1 || width > WIDEST ? undefined : " ".repeat(width);

/** Blanks per level, by pairs of lines at different depths in the edit and in the file; NaN where they disagree. */
function comparedUnits(known: Known, unit: IndentUnit): readonly number[] {
  const sorted = [...known].sort(([one], [other]) => one.length - other.length);
  return sorted.slice(1).flatMap(([wanted, found], index) => {
    const [before = "", foundBefore = ""] = sorted[index] ?? [];
    if (!found.startsWith(foundBefore)) return [Number.NaN];
    const levels = levelsOf(found.slice(foundBefore.length), unit);
    if (levels === undefined) return [];
    return [levels === 0 ? Number.NaN : (wanted.length - before.length) / levels];
  });
}

/** How many levels an indentation has; undefined if not whole. */
function levelsOf(indent: string, unit: IndentUnit): number | undefined {
  const levels = indent.length / unit.length;
  return isOf(indent, unit) && Number.isInteger(levels) ? levels : undefined;
}

/** Blanks per level, by how the lines of an edit are nested. */
function writtenUnit(
  indents: readonly string[],
  texts: readonly (readonly string[])[],
  unit: IndentUnit | undefined,
): number | undefined {
  const steps = texts.flatMap((lines) => stepsOf(lines)).map((step) => step.length);
  if (steps.length === 0) return undefined;
  const step = Math.min(...steps);
  // The star of a comment is not a level.
  if (step === 1) return Number.NaN;
  const least = Math.min(...indents.map((indent) => indent.length));
  const depths = [...new Set(indents.map((indent) => indent.length - least))];
  const inFile = unit === undefined || unit === "\t" ? undefined : unit.length;
  if (step === inFile) return step;
  if (depths.every((depth) => depth % step === 0)) {
    // 8 blanks in a file with 4 per level may be one level or two.
    return inFile !== undefined && step % inFile === 0 ? Number.NaN : step;
  }
  const common = depths.reduce(greatestCommonDivisor);
  const isStep = depths.some((one) => depths.some((other) => one - other === common));
  return isStep ? common : Number.NaN;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

/** Usual blanks per level. */
const USUAL = [2, 4];
/** Usual widths of a tab, in blanks. */
const SHOWN_TAB = 8;

/** Whether two indentations are more than one level apart. An empty one has no depth. */
export function isFarFrom(asked: string, shown: string, unit: IndentUnit | undefined): boolean {
  if (asked === "" || !isPure(asked) || !isPure(shown)) return false;
  const isKnown = unit !== undefined && isOf(shown, unit);
  const inFile = isKnown ? [shown.length / unit.length] : usualLevels(shown, unit);
  const asWritten = usualLevels(asked, unit);
  const isAlsoTab = asked === " ".repeat(SHOWN_TAB * shown.length) && shown.startsWith("\t");
  return !isAlsoTab && asWritten.every((level) => inFile.every((other) => Math.abs(level - other) > 1));
}

/** The possible numbers of levels of an indentation. */
function usualLevels(indent: string, unit: IndentUnit | undefined): readonly number[] {
  if (indent === "" || indent.startsWith("\t")) return [indent.length];
  return [...USUAL, ...(unit === undefined || unit === "\t" ? [] : [unit.length])].map(
    (width) => indent.length / width,
  );
}

/** How deep a line is, in words. */
export function depthText(indent: string): string {
  if (indent === "") return "not indented";
  const [kind, count] = [indent.startsWith("\t") ? "tab" : "blank", indent.length];
  return isPure(indent) ? `${count} ${kind}${count === 1 ? "" : "s"} deep` : "indented with blanks and tabs";
}
