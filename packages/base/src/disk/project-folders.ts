import { existsSync } from "node:fs";
import { join } from "node:path";
import { foldersFrom } from "../paths/is-within.ts";

/** A working folder and the innermost git repository that contains it; their programs are not trusted. Absolute. */
export function projectFolders(folder: string): readonly string[] {
  const repository = foldersFrom(folder).find((each) => existsSync(join(each, ".git")));
  return repository === undefined || repository === folder ? [folder] : [folder, repository];
}
