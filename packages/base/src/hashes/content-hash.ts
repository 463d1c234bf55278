/** A hash that shows whether a content changed. Not for trust decisions: it is easy to make another content with the same hash. */
export const contentHash = (content: Uint8Array): string => String(Bun.hash(content));
