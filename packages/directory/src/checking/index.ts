export { checkDirectory, type DirectoryCheck } from "./check-directory.ts";
export { type FileFix, type FixOptions, fixableDiagnostics, fixDirectory } from "./fixing/fix-directory.ts";
export { TYPES_FILE, TYPES_MARK, typesFile } from "./types-file.ts";
export { watchChecks } from "./watching/watch-checks.ts";
