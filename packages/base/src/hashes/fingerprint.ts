/** The same plain data with the keys of all its objects sorted. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : Number(one > other)));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/** JSON with sorted keys: equal data gives equal text. */
export const sortedJson = (value: unknown): string => JSON.stringify(sorted(value));

/** The SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");

/** The beginning of the SHA-256 of each text, 16 hexadecimal digits, by the same names. */
export const fingerprints = (texts: readonly (readonly [name: string, text: string])[]): Record<string, string> =>
  Object.fromEntries(texts.map(([name, text]) => [name, sha256(text).slice(0, 16)]));
