import { KEY_SHAPES, KEY_SIGNS, keyPaths } from "./key-shapes.ts";
import { looksSecret } from "./secret-pattern.ts";

/** A text that is written in a file and looks like a key. */
export interface FoundKey {
  /** Such as "GitHub key". */
  readonly kind: string;
  /** Where the key starts, in UTF-16 code units. */
  readonly index: number;
}

/** Words of a text that only shows how a key looks. */
const PLACEHOLDER = /x{4,}|\*{3,}|\.{3}|your|example|placeholder|dummy|fake|redacted|changeme|<[^>]*>/i;

/** A name with a text in quotes, as code and settings write it: `apiKey: "…"`, `const TOKEN = '…'`. */
const ASSIGNED = /(?<![\w$])["']?([A-Za-z_$][\w$-]{0,80})["']?\s{0,4}[:=]\s{0,4}(["'`])([\w.~+/=-]{16,200})\2/g;

/** The keys that a text of code or settings contains literally, by position; placeholders are left out. */
export function findKeys(text: string): readonly FoundKey[] {
  const known = KEY_SIGNS.test(text) ? [...shapedKeys(text), ...placedKeys(text)] : [];
  const found = [...known, ...assignedKeys(text)].toSorted((one, other) => one.index - other.index);
  return found.filter(({ index, end }, at) => !found.slice(0, at).some((one) => one.index <= index && end <= one.end));
}

interface KeyRange extends FoundKey {
  readonly end: number;
}

const shapedKeys = (text: string): readonly KeyRange[] =>
  KEY_SHAPES.flatMap(({ kind, pattern }) =>
    [...text.matchAll(new RegExp(pattern, "g"))]
      .filter(([match]) => !isPlaceholder(match))
      .map(({ 0: match, index }) => ({ kind, index, end: index + match.length })),
  );

const placedKeys = (text: string): readonly KeyRange[] =>
  keyPaths().flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: match, 1: before = "", index }) => {
      const key = { kind, index: index + before.length, end: index + match.length };
      return isPlaceholder(match.slice(before.length)) ? [] : [key];
    }),
  );

const assignedKeys = (text: string): readonly KeyRange[] =>
  [...text.matchAll(ASSIGNED)].flatMap(({ 0: match, 1: name = "", 3: value = "", index }) => {
    const end = index + match.length - 1;
    return looksSecret(name, "") && isRandom(value) ? [{ kind: "key", index: end - value.length, end }] : [];
  });

/** Whether a text consists of letters and digits without meaning. */
function isRandom(value: string): boolean {
  const digits = value.replaceAll(/\D/g, "").length;
  const letters = value.replaceAll(/[^A-Za-z]/g, "").length;
  return digits >= 3 && letters >= 3 && new Set(value).size >= 8 && !isPlaceholder(value);
}

const isPlaceholder = (key: string): boolean => PLACEHOLDER.test(key) || new Set(key.slice(-16)).size < 5;
