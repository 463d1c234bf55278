import type { PackageFile } from "../sources/package-files.ts";

/** The time of every file, the same that npm writes: archives of equal files are equal. */
const TIME = new Date("1985-10-26T08:15:00.000Z");

/** The time that a registry's annotations need, for the same reason. */
export const CREATED: string = "1985-10-26T08:15:00Z";

/** A tar archive of files in the given order. Equal files give equal bytes. */
export async function tarArchive(files: readonly PackageFile[]): Promise<Uint8Array> {
  const { packTar } = await import("modern-tar");
  return await packTar(
    files.map(({ path, bytes, isExecutable }) => ({
      header: {
        ...{ name: path, size: bytes.length, mode: isExecutable ? 0o755 : 0o644 },
        ...{ mtime: TIME, uid: 0, gid: 0, uname: "", gname: "" },
      },
      body: bytes,
    })),
  );
}

/**
 * The same, compressed. By a compressor in JavaScript: those of systems and of Bun give other bytes on other processors and in other
 * versions.
 */
export async function compressedArchive(files: readonly PackageFile[]): Promise<Uint8Array> {
  const { gzipSync } = await import("fflate");
  return gzipSync(await tarArchive(files), { level: 9, mtime: 0 });
}

/** Files with their paths below a folder. */
export const inFolder = (folder: string, files: readonly PackageFile[]): readonly PackageFile[] =>
  files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));

export const textFile = (path: string, text: string, isExecutable = false): PackageFile => ({
  ...{ path, isExecutable },
  bytes: new TextEncoder().encode(text),
});
