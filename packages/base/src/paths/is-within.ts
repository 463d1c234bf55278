import { dirname } from "node:path";

/** A folder and all its parents, innermost first. Absolute. */
export const foldersFrom = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

/** Whether `path` is `folder` or is inside it; both absolute, without `.` and `..`. */
export const isWithin = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder.endsWith("/") || path[folder.length] === "/");
