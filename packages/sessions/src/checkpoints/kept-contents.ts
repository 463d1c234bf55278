import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, contentHash, ifExists, sha256 } from "@mdx-ai/base";
import { makePrivateFolder, readPrivateFile, replaceFile, writeContent } from "@mdx-ai/base/disk";
import type { KeptContent } from "@mdx-ai/loop";

/** Bytes of the largest file whose content is kept. */
const MAX_BYTES = 10 * 1024 * 1024;

interface Keeping {
  readonly content: Uint8Array | undefined;
  readonly isRefused: (content: Uint8Array) => boolean;
}

/** The contents that tools of a session replaced, each once, by their hash, in `sessions/<id>/checkpoints/`. */
export class KeptContents {
  readonly #folder: string;

  /** `session` is the folder of the session. Absolute. */
  constructor(session: string) {
    this.#folder = join(session, "checkpoints");
  }

  /**
   * Keeps the content of a file, which is read if it is not given; that of one which is too large, or for which `isRefused`, is
   * left out. Not synced: after a power cut a content may be missing or broken, which its hash shows. Rejects with what the file
   * system says.
   */
  async keep(path: string, { content: given, isRefused }: Keeping): Promise<KeptContent> {
    const stats = ifExists(() => lstatSync(path));
    if (stats === undefined) return { state: "absent" };
    if (stats.size > MAX_BYTES) return { state: "left_out", reason: "it was larger than 10 MB" };
    const content = given ?? readPrivateFile(path, (file) => readFileSync(file));
    if (isRefused(content)) return { state: "left_out", reason: "it contained a secret" };
    const address = sha256(content);
    // One that a power cut broke is kept again.
    if (this.contentOf(address) === undefined) {
      makePrivateFolder(this.#folder);
      const fill = (draft: number): Promise<void> => writeContent(draft, content);
      await replaceFile({ path: this.pathOf(address), isDispensable: true, fill });
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
}

/** The hash of a file that now has a path; "absent" if nothing has it, undefined if it is too large or no regular file. */
export function currentHash(path: string): string | undefined {
  // Also a link that leads nowhere has a path.
  if (attempt(() => lstatSync(path)) === undefined) return "absent";
  const content = readKept(path);
  return content && contentHash(content);
}

/** A regular file that is not too large; undefined if it is none, or cannot be read. */
const readKept = (path: string): Buffer | undefined =>
  attempt(() => readPrivateFile(path, (file, { size }) => (size > MAX_BYTES ? undefined : readFileSync(file))));
