/**
 * The mark with which the user's programs begin a session: only a holder of `key`, a secret of the user, can make it. It holds for one agent
 * directory, by its real path, so a session that came from elsewhere, or whose directory was moved, is untrusted.
 */
export const ownerMark = (key: string, realPath: string): string =>
  digest(digest(key, realPath), "session").slice(0, LENGTH);

/** Characters of a mark, 4 bits each. */
const LENGTH = 32;

const digest = (key: string, text: string): string => new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
