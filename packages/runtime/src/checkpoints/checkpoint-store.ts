import { lstatSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt, contentHash, ifExists, isRecord, jsonValue, sha256 } from "@mdx-ai/base";
import {
  appendLines,
  makeOwnFolder,
  readLines,
  readOwnFile,
  readSmallFile,
  replaceFile,
  replaceFileSync,
  writeContent,
} from "@mdx-ai/base/disk";
import type { LineMarks } from "../journal/line-marks.ts";
import {
  CHECKPOINT_VERSION,
  type ChangeLine,
  type CheckpointLine,
  type KeptContent,
  readCheckpointLines,
} from "./checkpoint-line.ts";

/** Bytes of the largest file whose content is kept. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Bytes of the file that says what is being taken back. */
const MOST_TAKING_BYTES = 1_000;

/** What is being taken back; on disk from before the first file is restored until the last step is done. */
export interface Taking {
  /** The prompt after which the conversation continues; 0 for none. */
  readonly to: number;
  /** The last prompt of the session when it began. */
  readonly lastPrompt: number;
  /** Whether files are restored that have changed since. */
  readonly force: boolean;
}

interface Keeping {
  readonly content: Uint8Array | undefined;
  readonly isRefused: (content: Uint8Array) => boolean;
}

/** The files of a session's checkpoints: contents by their hash, and an index of what changed, in `sessions/<id>/checkpoints/`. */
export class CheckpointStore {
  readonly #folder: string;

  readonly #marks: LineMarks | undefined;

  /** The folder is absolute, and made when it is first needed. Without marks no line is foreign. */
  constructor(folder: string, marks?: LineMarks) {
    this.#folder = folder;
    this.#marks = marks;
  }

  /** Appends a line to the index. Returns the file system's time of that, in milliseconds since 1970. Throws what the file system says. */
  append(line: CheckpointLine): number {
    const json = JSON.stringify({ v: CHECKPOINT_VERSION, ...line });
    appendLines(this.#index, [this.#marks?.marked(json) ?? json]);
    return statSync(this.#index).mtimeMs;
  }

  /** The changes that were not taken back, in their order. Throws `NewerVersionError`, or what the file system says. */
  lines(): readonly ChangeLine[] {
    const texts: string[] = [];
    ifExists(() => readOwnFile(this.#index, (file) => readLines(file, (line) => texts.push(line))));
    return readCheckpointLines(this.#index, texts, this.#marks);
  }

  /**
   * Keeps the content of a file, which is read if it is not given; that of one which is too large, or for which `isRefused`, is
   * left out. Not synced: after a power cut a content may be missing or broken, which its hash shows. Rejects with what the file
   * system says.
   */
  async keep(path: string, { content: given, isRefused }: Keeping): Promise<KeptContent> {
    const stats = ifExists(() => lstatSync(path));
    if (stats === undefined) return { state: "absent" };
    if (stats.size > MOST_BYTES) return { state: "left_out", reason: "it was larger than 10 MB" };
    const content = given ?? readOwnFile(path, (file) => readFileSync(file));
    if (isRefused(content)) return { state: "left_out", reason: "it contained a secret" };
    const address = sha256(content);
    const kept = this.pathOf(address);
    // One that a power cut broke is kept again.
    if (this.contentOf(address) === undefined) {
      makeOwnFolder(this.#folder);
      await replaceFile({ path: kept, isDispensable: true, fill: (draft) => writeContent(draft, content) });
    }
    return { state: "kept", address, hash: contentHash(content), mode: stats.mode & 0o7777 };
  }

  /** The file of a kept content. */
  pathOf(address: string): string {
    return join(this.#folder, address);
  }

  /** A kept content; undefined if it is missing or broken. */
  contentOf(address: string): Buffer | undefined {
    const content = /^[0-9a-f]{64}$/.test(address) ? readKept(this.pathOf(address)) : undefined;
    return content !== undefined && sha256(content) === address ? content : undefined;
  }

  /**
   * What was begun to be taken back and did not end; undefined if there is nothing, or if a program of another user wrote it: it
   * could take back more than the user asks for.
   */
  get taking(): Taking | undefined {
    const value = jsonValue(readSmallFile(this.#takingFile, MOST_TAKING_BYTES) ?? "");
    if (!isRecord(value) || this.#marks?.isOwn(value) === false) return undefined;
    const { to, lastPrompt, force } = value;
    if (typeof to !== "number" || typeof lastPrompt !== "number" || typeof force !== "boolean") return undefined;
    return { to, lastPrompt, force };
  }

  /** Throws what the file system says. */
  beginTaking(taking: Taking): void {
    makeOwnFolder(this.#folder);
    const json = JSON.stringify(taking);
    replaceFileSync({ path: this.#takingFile, text: this.#marks?.marked(json) ?? json });
  }

  endTaking(): void {
    rmSync(this.#takingFile, { force: true });
  }

  get #index(): string {
    return join(this.#folder, "index.jsonl");
  }

  get #takingFile(): string {
    return join(this.#folder, "taking.json");
  }
}

/** Whether nothing, not even a link that leads nowhere, has a path now. */
export const isAbsent = (path: string): boolean => attempt(() => lstatSync(path)) === undefined;

/** The hash of a file that now has a path; "absent" if there is none, undefined if it is too large or no regular file. */
export function currentHash(path: string): string | undefined {
  if (isAbsent(path)) return "absent";
  const content = readKept(path);
  return content && contentHash(content);
}

/** A regular file that is not too large; undefined if it is none, or cannot be read. */
const readKept = (path: string): Buffer | undefined =>
  attempt(() => readOwnFile(path, (file, { size }) => (size > MOST_BYTES ? undefined : readFileSync(file))));
