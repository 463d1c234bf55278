import { join, relative } from "node:path";
import { isWithin } from "@mdx-ai/parser/is-within";

/** An absolute path as `~/…` if it is in the user's home folder; undefined for any other path, or without a home. */
export function homePath(path: string, home: string | undefined): string | undefined {
  if (home === undefined || home === "" || home === "/" || !isWithin(home, path)) return undefined;
  return join("~", relative(home, path));
}
