import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { pathText, type ToolContext } from "@mdx-ai/loop";
import { FileToolError } from "@mdx-ai/permissions";
import { listText } from "./grep.ts";
import { resultPaths, type ShownFiles, searchedPath, searchRoot } from "./search-root.ts";
import { type FoundEntry, pathFilter, walkFiles } from "./walk-files.ts";

const CUT = "[there are more files than one search visits: search in a folder of it]";

/**
 * Lists the files below a folder that match a glob, by path, relative to the working directory; returns text for a model. Rejects with
 * `FileToolError`.
 */
export async function globFiles(args: JsonObject, context: ToolContext, shownFiles: ShownFiles): Promise<string> {
  const { root, entries, isCut } = await shownEntries("glob", args, context, { shownFiles });
  const fits = pathFilter(String(args["pattern"]), root);
  const named = resultPaths(root, context.cwd);
  const paths = entries.flatMap(({ path, isFolder }) => (!isFolder && fits(path) ? named(path) : []));
  const text = paths.length === 0 ? "[no files match]" : listText(paths, Number(args["limit"] ?? 200), "files");
  return isCut ? `${text}\n${CUT}` : text;
}

/**
 * Lists a folder, and folders in it down to a depth, by path, relative to the folder; returns text for a model. Rejects with
 * `FileToolError`.
 */
export async function listFiles(args: JsonObject, context: ToolContext, shownFiles: ShownFiles): Promise<string> {
  const depth = Number(args["depth"] ?? 1);
  const { entries, isCut } = await shownEntries("list_files", args, context, { shownFiles, depth });
  const paths = entries.map(
    ({ path, isFolder, isLink }) => `${pathText(path)}${isFolder ? "/" : isLink ? " (a link)" : ""}`,
  );
  const text = paths.length === 0 ? "[no files]" : listText(paths, Number(args["limit"] ?? 500), "entries");
  return isCut ? `${text}\n${CUT}` : text;
}

interface ListingOptions {
  readonly shownFiles: ShownFiles;
  readonly depth?: number;
}

interface Listing {
  /** Absolute and real. */
  readonly root: string;
  readonly entries: readonly FoundEntry[];
  readonly isCut: boolean;
}

async function shownEntries(
  tool: string,
  args: JsonObject,
  { cwd, access, signal }: ToolContext,
  { shownFiles, depth }: ListingOptions,
): Promise<Listing> {
  const path = searchedPath(args, cwd);
  const { folder: root, file } = searchRoot(path, access);
  if (file !== undefined) throw new FileToolError(`${JSON.stringify(path)} is a file, not a folder`);
  const isShown = shownFiles(tool, root);
  const { entries, isCut } = await walkFiles({ root, signal, ...(depth !== undefined && { depth }) });
  return { root, entries: entries.filter((entry) => isShown(join(root, entry.path))), isCut };
}
