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
  const found = entriesBelow(directory, "").filter(({ path }) => !without.includes(join(directory, path)));
  const [secrets, own] = [found.filter(({ isSecret }) => isSecret), found.filter(({ isSecret }) => !isSecret)];
  let size = 0;
  const files = own.map(({ path, entry }) => {
    const file = shippedFile(directory, path, entry);
    size += "link" in file ? 0 : file.content.length;
    if (size > MAX_SIZE) throw new DirectoryError("invalid", `${directory} is larger than ${MAX_SIZE} bytes`);
    return file;
  });
  return {
    files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    leftOut: secrets.map(({ path }) => path).toSorted(),
  };
}

interface FoundEntry {
  /** Relative to the directory. */
  readonly path: string;
  readonly entry: Dirent;
  readonly isSecret: boolean;
}

/** What is not a folder below one of the directory, which is named by its path in it: "" or with "/" at its end. */
function entriesBelow(directory: string, shown: string): readonly FoundEntry[] {
  const folder = join(directory, shown);
  const isInAgent = isFile(join(folder, "agent.mdx"));
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): readonly FoundEntry[] => {
    const { name } = entry;
    const path = `${shown}${name}`;
    const isOut = name !== "node_modules" && isLeftOut(name, isInAgent);
    if (isOut) return SECRET.test(name) ? [{ path, entry, isSecret: true }] : [];
    return entry.isDirectory() ? entriesBelow(directory, `${path}/`) : [{ path, entry, isSecret: false }];
  });
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
