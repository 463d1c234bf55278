import { appendFileSync, chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import type { Theme } from "../../output/theme.ts";
import { type Choice, ChoiceList } from "../screen/choice-list.ts";

export interface PromptHistoryOptions {
  /** The user's state folder. Absolute; without it nothing is kept. */
  readonly state: string | undefined;
  /** The workspace or agent directory of this history. Absolute. */
  readonly place: string;
  /** Whether added texts are kept after the process ends. */
  readonly isKept: boolean;
  /** Redacts a text. */
  redact(text: string): string;
}

/** The newest texts that are kept. */
const MAX_COUNT = 1_000;
/** The file is cut to `MAX_COUNT` texts above this size. */
const MAX_BYTES = 512 * 1024;
/** Characters; longer texts are not kept on disk. */
const MAX_LENGTH = 20_000;

/**
 * The inputs that the user sent, oldest first, kept per folder in a file with mode 600: one JSON string per line. Never throws: without the
 * file, the history lasts as long as the process.
 */
export class PromptHistory {
  readonly #options: PromptHistoryOptions;
  readonly #path: string | undefined;
  #texts: readonly string[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(options: PromptHistoryOptions) {
    const { state, place } = options;
    this.#options = options;
    this.#path = state && join(state, "history", `${sha256(place).slice(0, 16)}.jsonl`);
  }

  /** Oldest first. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Reads the history of earlier conversations and returns it. */
  load(): readonly string[] {
    if (this.#path === undefined) return [];
    const lines = linesOf(this.#path);
    const kept = lines.flatMap(textOf).slice(-MAX_COUNT);
    this.#texts = [...kept, ...this.#texts];
    if (lines.join("\n").length > MAX_BYTES) this.#write((path) => shorten(path));
    return kept;
  }

  /** Adds a text, unless it equals the newest. */
  add(text: string): void {
    const { isKept, redact } = this.#options;
    if (text.trim() === "" || text === this.#texts.at(-1)) return;
    this.#texts = [...this.#texts, text].slice(-MAX_COUNT);
    if (isKept && text.length <= MAX_LENGTH) this.#write((path) => append(path, redact(text)));
  }

  /** Resolves when all texts are on disk. Never rejects. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** Another process may shorten the file meanwhile. */
  #write(change: (path: string) => void): void {
    const path = this.#path;
    if (path === undefined) return;
    const write = async (): Promise<void> => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await withLock(`${path}.lock`, () => change(path));
    };
    // Failing to save the history is not worth an error.
    this.#writing = this.#writing.then(write).catch(() => {});
  }
}

function append(path: string, text: string): void {
  appendFileSync(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}

function shorten(path: string): void {
  const texts = linesOf(path).flatMap(textOf).slice(-MAX_COUNT);
  const lines = texts.map((text) => JSON.stringify(text));
  while (lines.length > 0 && lines.join("\n").length > MAX_BYTES / 2) lines.splice(0, Math.ceil(lines.length / 4));
  replaceFileSync({ path, text: lines.map((line) => `${line}\n`) });
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

/** Skips a line that a crash cut off. */
function textOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value.trim() !== "" ? [value] : [];
  } catch {
    return [];
  }
}

/** Entries shown at once. */
const ROWS = 8;

/** Searches the history for the newest texts that contain the input. */
export class HistorySearch {
  readonly #texts: readonly string[];
  readonly #theme: Theme;
  #query: string | undefined;
  #found: readonly string[] = [];
  #list: ChoiceList;

  /** `texts`: oldest first. */
  constructor(texts: readonly string[], theme: Theme) {
    this.#texts = [...new Set(texts.toReversed())];
    this.#theme = theme;
    this.#list = new ChoiceList([], theme);
    this.look("");
  }

  /** The selected text; undefined if nothing matches. */
  get selected(): string | undefined {
    const { selected } = this.#list;
    return selected === undefined ? undefined : this.#found[selected];
  }

  /** Searches for another text; ignores case. */
  look(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    const wanted = query.toLowerCase();
    this.#found = this.#texts.filter((text) => text.toLowerCase().includes(wanted));
    this.#list = new ChoiceList(this.#found.map(choiceOf), this.#theme);
  }

  /** Moves the selection; positive is older. */
  move(entries: number): void {
    this.#list.move(entries);
  }

  draw(columns: number): readonly string[] {
    const keys = this.#theme.dim("Search: Enter uses it, Ctrl+R finds an older one, Esc cancels");
    return [...this.#list.draw(columns, Math.min(ROWS, Math.max(1, this.#found.length))), keys];
  }
}

const choiceOf = (text: string): Choice => ({ title: text.replace(/\s+/g, " ").trim(), details: "", remark: "" });
