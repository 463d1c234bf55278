/** A YAML map of texts. */
export interface SimpleYaml {
  readonly values: Readonly<Record<string, string>>;
  /** Offsets of the values, by their keys. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** What YAML reads as something other than a text. */
const NO_TEXT = /^(?:null|true|false|~)$/i;

/** `key: text`, as it is or in quotes, or the beginning of a block. What may mean more to YAML is left to its parser. */
const LINE =
  /^([A-Za-z][\w-]*):( +)(?:"([^"\\\t]*)"|'([^'\t]*)'|([|>])([+-]?)|([A-Za-z\u00C0-\uD7FF][^\t\u0085\u2028\u2029\uFEFF]*?)) *$/;

/** A line of a block, and its indentation. */
const BLOCK_LINE = /^( +)([^ \t].*)$/;

/** What YAML refuses: control characters, and a return without a line feed. */
const REFUSED = /[^\P{Cc}\t\r\n]|\r(?!\n)/u;

/**
 * Reads YAML that holds nothing but `key: text` lines and plain blocks, as most skills have it, much faster than a parser could.
 * Undefined for any other YAML, broken or not: a parser reads that. Never throws.
 */
export function readSimpleYaml(yaml: string): SimpleYaml | undefined {
  if (!yaml.isWellFormed() || REFUSED.test(yaml)) return undefined;
  const lines = linesOf(yaml);
  const values: Record<string, string> = {};
  const offsets = new Map<string, number>();
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    if (line === undefined || line.text === "") continue;
    const entry = readEntry(line.text, lines, index + 1);
    if (entry === undefined || offsets.has(entry.key)) return undefined;
    values[entry.key] = entry.value;
    offsets.set(entry.key, line.start + entry.offset);
    index += entry.blockLines;
  }
  return { values, offsets };
}

interface Line {
  readonly text: string;
  readonly start: number;
}

function linesOf(yaml: string): readonly Line[] {
  let start = 0;
  return yaml.split("\n").map((line) => {
    const from = start;
    start += line.length + 1;
    return { text: line.endsWith("\r") ? line.slice(0, -1) : line, start: from };
  });
}

interface Entry {
  readonly key: string;
  readonly value: string;
  /** Of the value, in its line. */
  readonly offset: number;
  /** How many lines below it belong to it. */
  readonly blockLines: number;
}

function readEntry(text: string, lines: readonly Line[], next: number): Entry | undefined {
  const [, key, blanks = "", double, single, block, chomping, plain] = LINE.exec(text) ?? [];
  if (key === undefined || NO_TEXT.test(key) || (plain !== undefined && !isPlain(plain))) return undefined;
  const offset = key.length + 1 + blanks.length;
  if (block === undefined) return { key, value: double ?? single ?? plain ?? "", offset, blockLines: 0 };
  const inner = blockOf(lines, next);
  if (inner.length === 0) return undefined;
  const value = inner.join(block === "|" ? "\n" : " ") + (chomping === "-" ? "" : "\n");
  return { key, value, offset, blockLines: inner.length };
}

/** The lines of a block without their indentation; none if they are not all indented alike. */
function blockOf(lines: readonly Line[], from: number): readonly string[] {
  const end = lines.findIndex(({ text }, index) => index >= from && /^[A-Za-z]/.test(text));
  const inner = lines.slice(from, end === -1 ? undefined : end).map(({ text }) => text);
  if (end === -1 && inner.at(-1) === "") inner.pop();
  const [, indentation = ""] = BLOCK_LINE.exec(inner[0] ?? "") ?? [];
  const texts = inner
    .map((line) => BLOCK_LINE.exec(line))
    .map((match) => (match?.[1] === indentation ? match[2] : undefined));
  return texts.every((text) => text !== undefined) ? texts : [];
}

const isPlain = (text: string): boolean => !/:(?: |$)| #/.test(text) && !NO_TEXT.test(text);
