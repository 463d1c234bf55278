/** How many characters (UTF-16 code units) of text one tool result may have. */
export const OUTPUT_LIMIT = 32_000;

/** Shows the model how much of a result is missing. */
export const droppedNotice = (characters: number): string =>
  `[${characters} characters dropped: a tool result has at most ${OUTPUT_LIMIT} characters]`;

/** The first `limit` UTF-16 code units of a text, or one fewer if a surrogate pair would be split. */
export function headOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

/** The last `limit` UTF-16 code units of a text, or one fewer if a surrogate pair would be split. */
export function tailOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - limit;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}
