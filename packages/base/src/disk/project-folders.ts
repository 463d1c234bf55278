import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersFrom } from "../paths/is-within.ts";

/** A folder in which somebody works and the innermost repository of git around it: their programs are not the user's own. Absolute. */
export function projectFolders(folder: string): readonly string[] {
  const repository = foldersFrom(folder).find((each) => existsSync(join(each, ".git")));
  return repository === undefined || repository === folder ? [folder] : [folder, repository];
}
