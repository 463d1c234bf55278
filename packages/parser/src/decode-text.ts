/** A file's bytes as text. */
export interface DecodedText {
  readonly text: string;
  /** Offset in `text` of the first byte that is not UTF-8, if there is one; it reads as U+FFFD. */
  readonly invalidAt?: number;
}

const replacement = "\uFFFD";

/** Decodes UTF-8, keeping a byte-order mark. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!text.includes(replacement)) return { text };
  const invalidAt = firstInvalid(text, bytes);
  return invalidAt === undefined ? { text } : { text, invalidAt };
}

/** A replacement character that is not in the bytes comes from the decoder. */
function firstInvalid(text: string, bytes: Uint8Array): number | undefined {
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    position += Buffer.byteLength(text.slice(from, at));
    const isWritten = bytes[position] === 0xef && bytes[position + 1] === 0xbf && bytes[position + 2] === 0xbd;
    if (!isWritten) return at;
    position += 3;
    from = at + 1;
  }
  return undefined;
}
