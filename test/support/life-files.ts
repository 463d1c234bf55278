import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import { journalPaths, readJournalLines } from "../../packages/sessions/src/session/session-journals.ts";
import { readTranscript, type Transcript } from "../../packages/sessions/src/session/transcript.ts";

/** How far the files of a session were at a moment. */
export interface LifeMark {
  /** Journals. */
  readonly count: number;
  /** Bytes of the live one. */
  readonly size: number;
  readonly history: string;
}

/** The files of a session, as the disk has them. */
export class LifeFiles {
  readonly #folder: string;
  readonly #live: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#live = join(folder, "journal.jsonl");
  }

  lines(): readonly JournalLine[] {
    return readJournalLines(this.#folder);
  }

  transcript(): Transcript {
    return readTranscript(this.lines());
  }

  /** What waits in the queue. */
  waiting(): readonly string[] {
    return this.transcript().queued.map(({ text }) => text);
  }

  history(): string {
    // A session without a prompt that has ended has none.
    const path = join(this.#folder, "history.json");
    return existsSync(path) ? readFileSync(path, "utf8") : "[]\n";
  }

  /** All journals as one, without the heads. */
  written(): string {
    const texts = journalPaths(this.#folder).map((path) => readFileSync(path, "utf8"));
    return texts.map((text) => text.replace(/^\{"v":1,"prompt":0,"step":"segment".*\n/, "")).join("");
  }

  mark(): LifeMark {
    const { length: count } = journalPaths(this.#folder);
    return { count, size: readFileSync(this.#live).length, history: this.history() };
  }

  /** Leaves what a killed process would have left: a share of what was written since a moment. */
  cut(before: LifeMark, { share, isTorn }: { readonly share: number; readonly isTorn: boolean }): void {
    const bytes = readFileSync(this.#live);
    const now = this.mark();
    const start = now.count === before.count ? before.size : bytes.indexOf("\n") + 1;
    let cut = Math.round(start + share * (now.size - start));
    if (!isTorn) cut = Math.max(start, bytes.lastIndexOf("\n", cut - 1) + 1);
    truncateSync(this.#live, cut);
    if (cut < now.size) writeFileSync(join(this.#folder, "history.json"), before.history);
  }
}
