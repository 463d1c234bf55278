import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, contentHash, ifExists, sha256 } from "@mdx-ai/base";
import { makePrivateFolder, readPrivateFile, replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { KeptContent } from "@mdx-ai/loop";

/** The largest file to store, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024;

interface Keeping {
  readonly content: Uint8Array | undefined;
  readonly isRefused: (content: Uint8Array) => boolean;
}

/** The contents that a session's tools replaced, stored once each by hash in `sessions/<id>/checkpoints/`. */
export class KeptContents {
  readonly #folder: string;

  /** `session` is the folder of the session. Absolute. */
  constructor(session: string) {
    this.#folder = join(session, "checkpoints");
  }

  /**
   * Stores the content of a file, reading it if not given. A file that is too large, or that `isRefused` rejects, is
   * left out. Not synced: after a power cut a content may be missing or broken, which its hash shows. Rejects with the file
   * system's error.
   */
  async keep(path: string, { content: given, isRefused }: Keeping): Promise<KeptContent> {
    const stats = ifExists(() => lstatSync(path));
    if (stats === undefined) return { state: "absent" };
    if (stats.size > MAX_BYTES) return { state: "left_out", reason: "it was larger than 10 MB" };
    const content = given ?? readPrivateFile(path, (file) => readFileSync(file));
    if (isRefused(content)) return { state: "left_out", reason: "it contained a secret" };
    const address = sha256(content);
    // Content that a power cut broke is stored again.
    if (this.contentOf(address) === undefined) {
      makePrivateFolder(this.#folder);
      const fill = (draft: number): Promise<void> => writeContent(draft, content);
      await replaceFile({ path: this.pathOf(address), isDispensable: true, fill });
    }
    return { state: "kept", address, hash: contentHash(content), mode: stats.mode & 0o7777 };
  }

  /** The path of a stored content. */
  pathOf(address: string): string {
    return join(this.#folder, address);
  }

  /** A stored content; undefined if it is missing or broken. */
  contentOf(address: string): Buffer | undefined {
    const content = /^[0-9a-f]{64}$/.test(address) ? readKept(this.pathOf(address)) : undefined;
    return content !== undefined && sha256(content) === address ? content : undefined;
  }
}

/** The hash of the current file at a path; "absent" if there is none, undefined if it is too large or not a regular file. */
export function currentHash(path: string): string | undefined {
  // A dangling link exists, too.
  if (attempt(() => lstatSync(path)) === undefined) return "absent";
  const content = readKept(path);
  return content && contentHash(content);
}

/** The content of a regular file of acceptable size; undefined for anything else. */
const readKept = (path: string): Buffer | undefined =>
  attempt(() => readPrivateFile(path, (file, { size }) => (size > MAX_BYTES ? undefined : readFileSync(file))));
