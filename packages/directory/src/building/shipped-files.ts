import { constants, type Dirent, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { DirectoryError } from "../directory-error.ts";
import { isFile } from "../paths.ts";
import { isLeftOut } from "../sources/file-names.ts";
import type { ArchivedFile } from "./agent-archive.ts";

/** The files of an agent that are given to others. */
export interface ShippedFiles {
  /** Sorted by path. */
  readonly files: readonly ArchivedFile[];
  /** Files that may contain secrets, by their paths in the directory. */
  readonly leftOut: readonly string[];
}

/** Files whose absence an author may notice. */
const SECRET = /^\.(?:env|npmrc|netrc)(?:\.|$)/;

/**
 * Reads the files of an agent directory: what is packed of it, and the installed packages, with links within the directory. `without` are more
 * paths to leave out, absolute. Throws `DirectoryError` ("invalid") for a link that leads out of the directory, for what is neither a file nor
 * a folder, and beyond a gigabyte.
 */
export function shippedFiles(directory: string, without: readonly string[] = []): ShippedFiles {
  const leftOut: string[] = [];
  let size = 0;
  const below = (folder: string, shown: string): readonly ArchivedFile[] => {
    const isInAgent = isFile(join(folder, "agent.mdx"));
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const { name } = entry;
      const path = `${shown}${name}`;
      if (without.includes(join(folder, name))) return [];
      if (name !== "node_modules" && isLeftOut(name, isInAgent)) {
        if (SECRET.test(name)) leftOut.push(path);
        return [];
      }
      if (entry.isDirectory()) return below(join(folder, name), `${path}/`);
      const file = shippedFile(directory, path, entry);
      size += "link" in file ? 0 : file.content.length;
      if (size > MAX_SIZE) throw new DirectoryError("invalid", `${directory} is larger than ${MAX_SIZE} bytes`);
      return [file];
    });
  };
  const files = below(directory, "").toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { files, leftOut: leftOut.toSorted() };
}

const MAX_SIZE = 2 ** 30;

function shippedFile(directory: string, path: string, entry: Dirent): ArchivedFile {
  const file = join(directory, path);
  if (entry.isSymbolicLink()) {
    const link = readlinkSync(file);
    const isInside = !link.startsWith("/") && isWithin(directory, resolve(dirname(file), link));
    if (isInside) return { path, link };
    throw new DirectoryError("invalid", `${file} is a link that leads out of the directory; copy what it leads to`);
  }
  if (!entry.isFile()) throw new DirectoryError("invalid", `${file} is neither a file nor a folder; remove it`);
  const isExecutable = (statSync(file).mode & constants.S_IXUSR) !== 0;
  return { path, content: readFileSync(file), isExecutable };
}
