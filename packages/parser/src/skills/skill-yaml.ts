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
