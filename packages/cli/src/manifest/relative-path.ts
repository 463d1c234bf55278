import { relative, sep } from "node:path";

/** A path as seen from a folder, separated by "/". */
export const relativePath = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

/** Whether such a path stays within the folder. */
export const staysWithin = (path: string): boolean => path !== ".." && !path.startsWith("../") && !path.startsWith("/");
