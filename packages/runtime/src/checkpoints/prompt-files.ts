import { attempt, contentHash, failureText, Semaphore } from "@mdx-ai/base";
import type { FileKeeper } from "../types/tool.ts";
import { changedFiles } from "./changed-files.ts";
import { fileChanges, type KeptContent } from "./checkpoint-line.ts";
import { type CheckpointStore, currentHash, isAbsent } from "./checkpoint-store.ts";

/** How long before the search for changed files begins, in milliseconds: the model is asked first. */
const HEAD_START = 20;

export interface PromptFilesOptions {
  readonly store: CheckpointStore;
  /** The number of the prompt. */
  readonly prompt: number;
  /** Where tools work. Absolute. */
  readonly folder: string;
  /** Folders in which nothing is searched. Absolute. */
  readonly outside: readonly string[];
  /** Whether a content must not be kept. */
  readonly isRefused: (content: Uint8Array) => boolean;
  /** Warns the user of what could not be kept. */
  readonly onWarning: (message: string) => void;
}

/** Records the files that the tools of a prompt change. A failure to record is a warning, and fails no tool. */
export class PromptFiles {
  readonly #options: PromptFilesOptions;
  readonly #searches = new Semaphore();
  /** The hashes of what the tools of the prompt wrote last. */
  readonly #left = new Map<string, string>();
  /** The files of the session whose earlier content is known; undefined until the first command. */
  #kept: Set<string> | undefined;
  #hurry: () => void = () => {};

  constructor(options: PromptFilesOptions) {
    this.#options = options;
  }

  /** Keeps, for a call, the content of each file that it is about to replace, and what it sees of files. */
  keeperOf(call: string): FileKeeper {
    const { store, prompt } = this.#options;
    return {
      saw: (content) => void attempt(() => store.append({ type: "seen", prompt, call, ...content })),
      seen: () => {
        const lines = attempt(() => store.lines()) ?? [];
        return new Map(lines.flatMap((line) => (line.type === "seen" ? [[line.path, line] as const] : [])));
      },
      settled: () => this.settled(),
      keep: ({ path, existing, before, content }) =>
        this.#recording(async () => {
          const after = contentHash(content);
          const kept = this.#isOwn(path, existing, before) ? undefined : await this.#keep(existing, before);
          store.append({ type: "file", prompt, call, path, ...(kept && { before: kept }), after });
          this.#left.set(path, after);
          this.#kept?.add(path);
        }),
    };
  }

  /** Runs a tool whose changes are only seen by what they leave, and searches for them while the model is asked. */
  async watched<Result>(call: string, run: () => Promise<Result>): Promise<Result> {
    const { store, prompt } = this.#options;
    await this.settled();
    let since = Date.now();
    await this.#recording(async () => {
      // File systems round times, and some lag behind the clock: a file of theirs that is written now shows their time.
      since = Math.min(since, store.append({ type: "command_begun", prompt, call }));
    });
    // The times that a search compares do not show which file was removed.
    const existing = this.#existing();
    try {
      return await run();
    } finally {
      void this.#searches.run(() => this.#recording(() => this.#search(call, since, existing)));
    }
  }

  /** Resolves when all that was found is recorded. */
  settled(): Promise<void> {
    this.#hurry();
    return this.#searches.settled();
  }

  async #search(call: string, since: number, existing: readonly string[]): Promise<void> {
    const { store, prompt, folder, outside } = this.#options;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, HEAD_START);
    this.#hurry = resolve;
    await promise;
    clearTimeout(timer);
    const known = new Map(fileChanges(store.lines()).files.map(({ path, after }) => [path, after]));
    const { changed, isWhole } = await changedFiles({
      ...{ folder, since, outside },
      isOwn: (path) => known.has(path),
      isKnown: (path) => known.get(path) !== undefined,
    });
    // A file that was written shortly before it ran may look as if it had changed.
    const news = changed.filter(({ path, hash }) => hash === undefined || known.get(path) !== hash);
    const removed = existing.filter(isAbsent).map((path) => ({ path, hash: "absent" }));
    store.append({ type: "command", prompt, call, changed: [...news, ...removed], isWhole });
  }

  /** The files whose earlier content is known, without those that are gone already. */
  #existing(): readonly string[] {
    this.#kept ??= new Set(
      attempt(() => this.#options.store.lines())?.flatMap((line) => (line.type === "file" ? line.path : [])),
    );
    return [...this.#kept].filter((path) => !isAbsent(path));
  }

  /** Whether a tool of the prompt wrote what a file holds: an undo restores what was there before. */
  #isOwn(path: string, existing: string, content: Uint8Array | undefined): boolean {
    const left = this.#left.get(path);
    return left !== undefined && left === (content ? contentHash(content) : currentHash(existing));
  }

  /** The content of a file; if it cannot be kept, as on a full disk, the reason, so that an undo does not pass over the file. */
  async #keep(path: string, content: Uint8Array | undefined): Promise<KeptContent> {
    const { store, isRefused, onWarning } = this.#options;
    try {
      return await store.keep(path, { content, isRefused });
    } catch (error) {
      onWarning(`the content of a file is not kept, and cannot be restored: ${failureText(error)}`);
      return { state: "left_out", reason: failureText(error) };
    }
  }

  async #recording(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onWarning(`a change of files is not recorded, and cannot be taken back: ${String(error)}`);
    }
  }
}
