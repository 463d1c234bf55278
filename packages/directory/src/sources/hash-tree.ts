import { createHash } from "node:crypto";
import { sha256 } from "@mdx-ai/base";
import { agentFiles, type PackageFile } from "./package-files.ts";
import { readFolder } from "./read-folder.ts";

/**
 * The hash of an agent's files, `sha256:…`: independent of how they were packed, of times and owners, and of sessions, state and logs. The
 * SHA-256 of one line for each file, sorted by path: the SHA-256 of its content, `x` if it is executable, else `-`, and its path as JSON.
 */
export function hashFiles(files: readonly PackageFile[]): string {
  const hash = createHash("sha256");
  for (const { path, bytes, isExecutable } of files) {
    hash.update(`${sha256(bytes)} ${isExecutable ? "x" : "-"} ${JSON.stringify(path)}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}

/**
 * The same for an agent directory; absolute. Rejects with `DirectoryError` ("source") if it contains a link, names that are the same on some
 * systems, or too much.
 */
export async function hashTree(folder: string): Promise<string> {
  return hashFiles(agentFiles(await readFolder(folder)).files);
}
