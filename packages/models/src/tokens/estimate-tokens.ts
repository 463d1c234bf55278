import { estimateTokenCount, type TokenEstimationOptions } from "tokenx";

/** Tokens of an image: the largest size that providers accept without scaling. */
export const IMAGE_TOKENS = 1600;

/**
 * Characters per token where the library is far off: it counts two tokens for each English word of more than eight letters, treats ids and
 * encoded bytes as words, and unknown scripts as Latin.
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
 * Estimates the tokens of a text, within 15 % of a current tokenizer for English prose and code. The cost grows with the text up to a
 * million characters.
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
