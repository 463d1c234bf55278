/** The SHA-256 of a text (as UTF-8) or of bytes, in hexadecimal digits. */
export const sha256 = (content: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(content).digest("hex");
