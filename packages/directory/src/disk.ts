import { accessSync, readdirSync, type Stats, statSync } from "node:fs";
import { attempt } from "@mdx-ai/base";

/** What is at a path, links followed; undefined if it does not exist or cannot be reached. */
const statsOf = (path: string): Stats | undefined => attempt(() => statSync(path));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** The names in a folder; none if it cannot be read. */
export const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];

/** Whether this process may access a path in these ways, such as `constants.W_OK`. On a read-only file system nobody may write. */
export const hasAccess = (path: string, mode: number): boolean =>
  attempt(() => {
    accessSync(path, mode);
    return true;
  }) ?? false;
