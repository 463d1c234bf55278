import { DirectoryError, readTrusted, type TrustRecord, trustDirectory, trustOf } from "@mdx-ai/directory";
import type { TrustedCode } from "@mdx-ai/runtime";
import { surroundingsIn } from "./front-end.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An agent directory whose state the user has trusted. */
export interface TrustedAgent extends Disposable {
  /** What the user's list holds of that state. */
  readonly record: TrustRecord;
  /** The changes since then, one line each; none if a run is allowed. */
  changes(): Promise<readonly string[]>;
}

/** Trusts a directory in its current state. */
export async function trustedAgent(path: string): Promise<TrustedAgent> {
  const home = temporaryDirectory();
  const frontEnd = surroundingsIn(home.path);
  const { signal } = new AbortController();
  const { record } = await trustDirectory(path, { edits: "no" }, frontEnd);
  return {
    record,
    async changes() {
      const seen = frontEnd.notices.length;
      const isAllowed = await readTrusted({ directory: path, isTrusted: false }, { frontEnd, signal }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DirectoryError && error.problem === "untrusted") return false;
          throw error;
        },
      );
      const notices = frontEnd.notices.slice(seen);
      const lines = notices.flatMap((notice) => (notice.type === "trust_changed" ? notice.changes : []));
      if (isAllowed !== (lines.length === 0)) throw new Error(`a run is allowed after ${lines.length} changes`);
      return lines;
    },
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

/** The code that trust in the current state of a directory covers. */
export async function coveredCode(path: string): Promise<TrustedCode> {
  using home = temporaryDirectory();
  const { signal } = new AbortController();
  const frontEnd = surroundingsIn(home.path);
  const { trusted } = trustOf(await readTrusted({ directory: path, isTrusted: true }, { frontEnd, signal }));
  if (trusted === undefined) throw new Error("trust covers nothing");
  return trusted;
}

/** A line without its values: `~ tool "greet": code`. */
export const withoutValues = (line: string): string => line.replace(/ \([^()]*(?: → .*)?\)$/, "");
