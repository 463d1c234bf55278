import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Redactor } from "@mdx-ai/base";
import { type NewHead, STEPS, type UndoPlan } from "@mdx-ai/loop";
import type { SessionHistory } from "../history/session-history.ts";
import { ownHistory } from "../history/untrusted-lines.ts";
import { resultLine } from "../journal/journal.ts";
import type { SessionPast } from "./session.ts";
import type { SessionFiles } from "./session-files.ts";
import { readJournalLines } from "./session-journals.ts";
import { requirePrompt } from "./transcript.ts";

interface StoredPastParts {
  /** Of the session. */
  readonly id: string;
  /** Of the session. Absolute. */
  readonly folder: string;
  readonly redactor?: Redactor | undefined;
  /** As in `SessionFilesOptions`. */
  readonly owner?: string | undefined;
  readonly clock: Pick<Clock, "now">;
  /** The current files. Throws if another process has taken over the session. */
  readonly files: () => SessionFiles;
  /** Reads the session from disk again. */
  readonly reopen: () => void;
}

/** The past of a session in a folder. */
export class StoredPast implements SessionPast {
  readonly folder: string;
  readonly #parts: StoredPastParts;

  constructor(parts: StoredPastParts) {
    this.folder = parts.folder;
    this.#parts = parts;
  }

  containsSecret(content: Uint8Array): boolean {
    return this.#parts.redactor?.containsSecret(content) === true;
  }

  history(): SessionHistory {
    return ownHistory(readJournalLines(this.folder), this.#parts.owner);
  }

  async beginUndo(plan: UndoPlan): Promise<void> {
    const files = this.#parts.files();
    files.highest = { ...files.highest, undo: files.highest.undo + 1 };
    files.journal.append(resultLine(0, STEPS.undo.name(files.highest.undo), plan));
    await files.journal.sync();
  }

  async rewind(to: number, isUndo = false): Promise<void> {
    const { id, clock, reopen } = this.#parts;
    const files = this.#parts.files();
    requirePrompt(id, to, readJournalLines(this.folder));
    // The view of another branch may have the right length.
    rmSync(join(this.folder, "history.json"), { force: true });
    const head: NewHead = { prompt: to, at: clock.now(), ...(isUndo && { isUndo }) };
    files.journal.append(resultLine(0, STEPS.head.name(files.highest.head + 1), head));
    await files.journal.sync();
    reopen();
  }
}
