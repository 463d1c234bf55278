import { promisify } from "node:util";
import { gunzip as gunzipWithCallback } from "node:zlib";
import { errorCode, errorMessage } from "@mdx-ai/base";
import type { ParsedTarEntryWithData, TarHeader } from "modern-tar";
import { type FoundEntry, PACKAGE_LIMITS, type PackageFile, safeFiles, tooManyBytes } from "./package-files.ts";
import { sourceError } from "./source.ts";

const gunzip = promisify(gunzipWithCallback);

/** The most that a byte of a compressed archive may become. Text becomes about 5 times as much, repetitions up to 1,000. */
const MAX_RATIO = 200;
/** An archive that unpacks to less may have any ratio. */
const SMALL = 4 * 1024 * 1024;
/** What the tar format may add to the files. */
const TAR_OVERHEAD = 16 * 1024 * 1024;

/**
 * The files of a tar archive, which may be compressed by gzip. Writes nothing. Rejects with `DirectoryError` ("source") if it is broken, too
 * large or too much compressed, or contains anything but files and folders with safe names.
 */
export async function readArchive(bytes: Uint8Array): Promise<readonly PackageFile[]> {
  const { unpackTar } = await import("modern-tar");
  const unpacked = await decompressed(bytes);
  let entries: readonly ParsedTarEntryWithData[];
  try {
    entries = await unpackTar(unpacked, { strict: true });
  } catch (error) {
    throw sourceError(`not a valid tar archive: ${errorMessage(error)}`, error);
  }
  return safeFiles(entries.flatMap(foundEntry));
}

async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const most = PACKAGE_LIMITS.bytes + TAR_OVERHEAD;
  const byRatio = Math.max(SMALL, bytes.length * MAX_RATIO);
  try {
    return await gunzip(bytes, { maxOutputLength: Math.min(most, byRatio) });
  } catch (error) {
    if (errorCode(error) !== "ERR_BUFFER_TOO_LARGE") {
      throw sourceError(`not a valid gzip archive: ${errorMessage(error)}`, error);
    }
    if (most <= byRatio) throw tooManyBytes(PACKAGE_LIMITS.bytes);
    throw sourceError(`the archive unpacks to more than ${MAX_RATIO} times its size`);
  }
}

const WHAT: ReadonlyMap<TarHeader["type"], string> = new Map([
  ["link", "a hard link"],
  ["symlink", "a symbolic link"],
  ["character-device", "a device"],
  ["block-device", "a device"],
  ["fifo", "a pipe"],
]);

function foundEntry({ header, data }: ParsedTarEntryWithData): readonly FoundEntry[] {
  // Archivers write names as `./a` and folders as `a/`.
  const path = header.name.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  if (header.type === "directory") return path === "" || path === "." ? [] : [{ type: "folder", path }];
  if (header.type === "pax-global-header") return [];
  if (header.type !== undefined && header.type !== "file") {
    return [{ type: "refused", path, what: WHAT.get(header.type) ?? "of an unknown type" }];
  }
  return [{ type: "file", path, bytes: data ?? new Uint8Array(), isExecutable: ((header.mode ?? 0) & 0o100) !== 0 }];
}
