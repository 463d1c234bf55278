import { appendFileSync, chmodSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "@mdx-ai/base";
import { replaceFileSync } from "@mdx-ai/base/disk";
import { withLock } from "@mdx-ai/base/locks";
import type { Theme } from "../../output/theme.ts";
import { type Choice, ChoiceList } from "../screen/choice-list.ts";

export interface PromptHistoryOptions {
  /** The user's folder for state. Absolute; without one nothing is kept. */
  readonly state: string | undefined;
  /** The workspace or agent directory whose history it is. Absolute. */
  readonly place: string;
  /** Whether what is added is kept when the process ends. */
  readonly isKept: boolean;
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/** Texts that are kept, the newest. */
const MAX_COUNT = 1_000;
/** The file is shortened to `MAX_COUNT` texts when it has more bytes. */
const MAX_BYTES = 512 * 1024;
/** Characters; a longer text is not kept on disk. */
const MAX_LENGTH = 20_000;

/**
 * What the user sent, the oldest first. It is kept for the next conversations in the same place in a file of the user's alone: a JSON
 * string a line. Nothing here throws: without its file, the history lasts as long as the process.
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

  /** The oldest first. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Reads what earlier conversations kept, and returns it. */
  load(): readonly string[] {
    if (this.#path === undefined) return [];
    const lines = linesOf(this.#path);
    const kept = lines.flatMap(textOf).slice(-MAX_COUNT);
    this.#texts = [...kept, ...this.#texts];
    if (lines.join("\n").length > MAX_BYTES) this.#write((path) => shorten(path));
    return kept;
  }

  /** Adds a text, unless it is the newest already. */
  add(text: string): void {
    const { isKept, redact } = this.#options;
    if (text.trim() === "" || text === this.#texts.at(-1)) return;
    this.#texts = [...this.#texts, text].slice(-MAX_COUNT);
    if (isKept && text.length <= MAX_LENGTH) this.#write((path) => append(path, redact(text)));
  }

  /** Resolves when everything is on disk. Never rejects. */
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
    // A history that cannot be kept is no reason to disturb the user.
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

/** A line that a crash cut short is passed over. */
function textOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value.trim() !== "" ? [value] : [];
  } catch {
    return [];
  }
}

/** Entries that are shown at once. */
const ROWS = 8;

/** A search of the user's history: the newest texts that hold what is typed in the input. */
export class HistorySearch {
  readonly #texts: readonly string[];
  readonly #theme: Theme;
  #query: string | undefined;
  #found: readonly string[] = [];
  #list: ChoiceList;

  /** `texts` has the oldest first. */
  constructor(texts: readonly string[], theme: Theme) {
    this.#texts = [...new Set(texts.toReversed())];
    this.#theme = theme;
    this.#list = new ChoiceList([], theme);
    this.look("");
  }

  /** The selected text; undefined if nothing fits. */
  get selected(): string | undefined {
    const { selected } = this.#list;
    return selected === undefined ? undefined : this.#found[selected];
  }

  /** Looks for another text, whatever the case of its letters. */
  look(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    const wanted = query.toLowerCase();
    this.#found = this.#texts.filter((text) => text.toLowerCase().includes(wanted));
    this.#list = new ChoiceList(this.#found.map(choiceOf), this.#theme);
  }

  /** Moves by so many entries, positive for older ones. */
  move(entries: number): void {
    this.#list.move(entries);
  }

  draw(columns: number): readonly string[] {
    const keys = this.#theme.dim("Search: Enter uses it, Ctrl+R finds an older one, Esc cancels");
    return [...this.#list.draw(columns, Math.min(ROWS, Math.max(1, this.#found.length))), keys];
  }
}

const choiceOf = (text: string): Choice => ({ title: text.replace(/\s+/g, " ").trim(), details: "", remark: "" });
