const keyLine = /^["']?([A-Za-z][\w-]*)["']?[ \t]*[:\uFF1A][ \t]*(.*)$/;

/**
 * Reads the `key: text` lines of YAML that a strict parser refuses: texts with colons, quotes that are not closed, lines of
 * junk, full-width colons. Indented lines belong to the text before, and after `description` other lines do, too; `|` and `>`
 * blocks and closed quotes are understood. Never throws.
 */
export function readLenientYaml(text: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, key, value] = keyLine.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      current = [value];
      if (!entries.has(key)) entries.set(key, current);
    } else if (/^[ \t]/.test(line) || line === "" || current === entries.get("description")) current?.push(line.trim());
    else current = undefined;
  }
  return new Map([...entries].map(([key, lines]) => [key, plainText(lines)]));
}

function plainText(lines: readonly string[]): string {
  const [first = "", ...rest] = lines;
  const isBlock = /^[|>][+-]?\d?\s*(?:#.*)?$/.test(first);
  if (isBlock) return rest.join(first.startsWith("|") ? "\n" : " ").trim();
  return unquoted([first, ...rest].join(" ").replace(/\s+/g, " ").trim());
}

function unquoted(text: string): string {
  const quote = /^["']/.exec(text)?.[0];
  if (quote === undefined) return text.replace(/\s+#.*$/, "");
  const inner = text.slice(1);
  const end = inner.lastIndexOf(quote);
  return (end === -1 ? inner : inner.slice(0, end) + inner.slice(end + 1)).trim();
}

/** A key at the start of a line, with its value up to the next such key. */
export interface KeySegment {
  readonly key: string;
  /** From the key on, with the lines that belong to it. */
  readonly text: string;
  /** Of the key, in UTF-16 code units. */
  readonly offset: number;
}

/**
 * Cuts YAML at the keys of its outermost map, so that one broken value does not cost the others. Lines before the first key
 * belong to none. Never throws.
 */
export function keySegments(yaml: string): readonly KeySegment[] {
  const keys = [...yaml.matchAll(/^["']?([A-Za-z][\w-]*)["']?[ \t]*[:\uFF1A](?=\s|$)/gm)];
  return keys.map((match, index) => ({
    key: match[1] ?? "",
    text: yaml.slice(match.index, keys[index + 1]?.index ?? yaml.length),
    offset: match.index,
  }));
}

/** A YAML map of texts and of lists of texts. */
export interface SimpleYaml {
  readonly values: Readonly<Record<string, SimpleValue>>;
  /** Offsets of the values, by their keys. */
  readonly offsets: ReadonlyMap<string, number>;
}

type SimpleValue = string | readonly string[];

/** What YAML reads as something other than a text. */
const NO_TEXT = /^(?:null|true|false|~)$/i;

/** `key: text`, as it is or in quotes, or the beginning of a block. What may mean more to YAML is left to its parser. */
const LINE =
  /^([A-Za-z][\w-]*):( +)(?:"([^"\\\t]*)"|'([^'\t]*)'|([|>])([+-]?)|\[([^[\]\t]*)\]|([A-Za-z\u00C0-\uD7FF][^\t\u0085\u2028\u2029\uFEFF]*?)) *$/;

/** A line of a block, and its indentation. */
const BLOCK_LINE = /^( +)([^ \t].*)$/;

/** What YAML refuses: control characters, and a return without a line feed. */
const REFUSED = /[^\P{Cc}\t\r\n]|\r(?!\n)/u;

/**
 * Reads YAML that holds nothing but `key: text` lines, short lists and plain blocks, as most skills have it, much faster than a parser could.
 * Undefined for any other YAML, broken or not: a parser reads that. Never throws.
 */
export function readSimpleYaml(yaml: string): SimpleYaml | undefined {
  if (!yaml.isWellFormed() || REFUSED.test(yaml)) return undefined;
  const lines = linesOf(yaml);
  const values: Record<string, SimpleValue> = {};
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
  readonly value: SimpleValue;
  /** Of the value, in its line. */
  readonly offset: number;
  /** How many lines below it belong to it. */
  readonly blockLines: number;
}

function readEntry(text: string, lines: readonly Line[], next: number): Entry | undefined {
  const [, key, blanks = "", double, single, block, chomping, list, plain] = LINE.exec(text) ?? [];
  if (key === undefined || NO_TEXT.test(key) || (plain !== undefined && !isPlain(plain))) return undefined;
  const offset = key.length + 1 + blanks.length;
  if (list !== undefined) {
    const items = itemsOf(list);
    return items && { key, value: items, offset, blockLines: 0 };
  }
  if (block === undefined) return { key, value: double ?? single ?? plain ?? "", offset, blockLines: 0 };
  const inner = blockOf(lines, next);
  if (inner.length === 0) return undefined;
  const value = inner.join(block === "|" ? "\n" : " ") + (chomping === "-" ? "" : "\n");
  return { key, value, offset, blockLines: inner.length };
}

/** A word of a list, as it is or in quotes. */
const ITEM = /^ *(?:"([\w ./-]+)"|([A-Za-z][\w./-]*)) *$/;

/** The texts of a list in brackets; undefined if one is anything but a plain word or words in quotes. */
function itemsOf(list: string): readonly string[] | undefined {
  const items = list.split(",").map((item) => {
    const [, inQuotes, plain] = ITEM.exec(item) ?? [];
    return plain !== undefined && NO_TEXT.test(plain) ? undefined : (inQuotes ?? plain);
  });
  return items.every((item) => item !== undefined) ? items : undefined;
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
