import { join, relative } from "node:path";
import { isWithin } from "@mdx-ai/parser/is-within";
import { cutStart } from "./text-width.ts";

/** Columns that a folder has beside other facts. */
const WIDEST = 30;

/** A folder beside other facts on a line: in the user's home folder as `~/…`, and without its beginning if it is long. */
export const shortPath = (path: string, home: string | undefined): string =>
  cutStart(homePath(path, home) ?? path, WIDEST);

/** An absolute path as `~/…` if it is in the user's home folder; undefined for any other path, or without a home. */
export function homePath(path: string, home: string | undefined): string | undefined {
  if (home === undefined || home === "" || home === "/" || !isWithin(home, path)) return undefined;
  return join("~", relative(home, path));
}
