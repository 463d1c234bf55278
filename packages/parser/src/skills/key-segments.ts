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
