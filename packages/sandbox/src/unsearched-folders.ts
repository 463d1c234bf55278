import { dirname } from "node:path";
import { shortened } from "@mdx-ai/base";

/** The most folders that are closed one by one; each costs a mount. */
const MAX_CLOSED = 100;

/** The most folders that a warning names. */
const MAX_NAMED = 3;

/** A folder could not be searched completely, and the rest of it cannot be closed. */
class UnsearchedFoldersError extends Error {
  override readonly name = "UnsearchedFoldersError";
}

export interface UnsearchedFolders {
  /** The folder that was searched. Absolute. */
  readonly start: string;
  /** The folders in it that were not searched. Absolute. */
  readonly folders: readonly string[];
  /** Whether a folder must stay accessible because programs need it or the user names it. */
  isNeeded(folder: string): boolean;
}

/**
 * The folders to close so that no unsearched file is visible: the unsearched folders, or their parents if there are too many.
 * Throws `UnsearchedFoldersError` if one of them must stay accessible, or there are still too many.
 */
export function coveringFolders({ start, folders, isNeeded }: UnsearchedFolders): readonly string[] {
  const around = (folder: string): string => (folder === start || isNeeded(dirname(folder)) ? folder : dirname(folder));
  let covering = [...new Set(folders)];
  while (covering.length > MAX_CLOSED) {
    const wider = [...new Set(covering.map(around))];
    if (wider.every((folder, index) => folder === covering[index])) break;
    covering = wider;
  }
  if (covering.length > MAX_CLOSED || covering.some(isNeeded)) {
    throw new UnsearchedFoldersError(
      `${start} holds too many folders or .env files, or folders that cannot be listed: remove some`,
    );
  }
  return covering;
}

/** The most characters of a path in a warning. */
const MAX_LENGTH = 300;

/** The warning that names the closed folders and says why. */
export function closedText(folders: readonly string[], closed: "hidden" | "read-only", sought: string): string {
  const more = folders.length > MAX_NAMED ? ` and ${folders.length - MAX_NAMED} more` : "";
  const paths = folders.slice(0, MAX_NAMED).map((path) => shortened(path, MAX_LENGTH));
  const named = `${paths.join(", ")}${more}`;
  return `${closed} from commands and tools: ${named}, since there are too many folders to search for ${sought} or too many such files, or one cannot be listed; remove some, or list in \`sandbox.read\` the folders that agents need`;
}
