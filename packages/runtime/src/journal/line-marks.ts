/** Marks the lines of journals, and of other files, that programs of one user write, to distinguish them from foreign lines. Pure. */
export interface LineMarks {
  /** The JSON of a line, with the mark added. */
  marked(json: string): string;
  /** Whether a line has its mark: a line that others added or changed has no valid mark. */
  isOwn(line: MarkedLine): boolean;
}

/** A line as it was read, with its members in the order of the file. */
export interface MarkedLine {
  readonly mark?: string;
}

/** Characters of a mark, 6 bits each. */
const LENGTH = 22;

/**
 * Marks that only a holder of `key`, a secret of the user, can make. They hold for one agent directory, given by its real path:
 * lines from elsewhere are foreign there.
 */
export function lineMarks(key: string, agentDir: string): LineMarks {
  const secret = digest(key, agentDir);
  const markOf = (json: string): string => digest(secret, json).slice(0, LENGTH);
  return {
    marked: (json) => `${json.slice(0, -1)},"mark":"${markOf(json)}"}`,
    isOwn: ({ mark, ...line }) => mark !== undefined && mark === markOf(JSON.stringify(line)),
  };
}

const digest = (key: string, text: string): string =>
  new Bun.CryptoHasher("sha256", key).update(text).digest("base64url");
