/** A hash of a whole content that shows whether it changed. Not for what must be trusted: another content of the same hash can be made. */
export const contentHash = (content: Uint8Array): string => String(Bun.hash(content));
