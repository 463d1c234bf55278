import { estimateTokenCount, type TokenEstimationOptions } from "tokenx";

/** What an image counts, whatever its size: that of one as large as providers take without making it smaller. */
export const IMAGE_TOKENS = 1600;

/**
 * How many characters make a token, if the library's own rules are far off: it takes each English word of more than
 * eight letters for two tokens, ids and encoded bytes for words, and scripts that it does not know for Latin.
 */
const characters: TokenEstimationOptions = {
  languageConfigs: [
    { pattern: /^[A-Z]?[a-z]+$/, averageCharsPerToken: 9 },
    { pattern: /^(?=[a-zA-Z]*\d+[a-zA-Z]+\d)[a-zA-Z0-9]{8,}$/, averageCharsPerToken: 1.7 },
    { pattern: /[\u0590-\u10ff]/, averageCharsPerToken: 2.4 },
  ],
};

/** Only part of a longer text is read. */
const WHOLE = 1_000_000;
const PIECES = 16;

/**
 * How many tokens a text has, roughly: within 15 % of a current tokenizer for English prose and for code.
 * The cost grows with the text's length up to a million characters, and no further.
 */
export function estimateTokens(text: string): number {
  if (text.length <= WHOLE) return estimateTokenCount(text, characters);
  const length = Math.floor(WHOLE / PIECES);
  let tokens = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const start = Math.floor(((text.length - length) * piece) / (PIECES - 1));
    tokens += estimateTokenCount(text.slice(start, start + length), characters);
  }
  return Math.ceil((tokens * text.length) / (length * PIECES));
}
