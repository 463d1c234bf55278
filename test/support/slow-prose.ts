/**
 * Prose that the published micromark takes many seconds to read, so that mdx-ai gives it up, and the one that `patches/` change a
 * fraction of a second.
 */
export const SLOW_PROSE: string = "*a_ ".repeat(8_000);
