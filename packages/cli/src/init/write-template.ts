import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures/usage-error.ts";
import type { TemplateFile } from "./template.ts";

/** What a directory held before it was made an agent. */
export type Precursor =
  /** Nothing, or no more than a repository's own folder. */
  | "nothing"
  /** Files that are no part of an agent. */
  | "other files"
  | "parts of an agent";

/** Looks at a directory that is to become an agent; it may not exist yet. */
export function precursor(directory: string): Precursor {
  const present = existsSync(directory) ? readdirSync(directory).filter((name) => name !== ".git") : [];
  if (PARTS.some((name) => present.includes(name))) return "parts of an agent";
  return present.length === 0 ? "nothing" : "other files";
}

const PARTS: readonly string[] = ["skills", "modules", "tools", "heartbeat.md"];

/** Writes the files. Throws `UsageError` before anything is written where one of them exists. */
export function writeTemplate(directory: string, files: readonly TemplateFile[]): void {
  const present = files.map(({ path }) => join(directory, path)).find((path) => existsSync(path));
  if (present !== undefined) throw new UsageError(`${present} exists already; nothing was changed`);
  for (const { path, text } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    // "wx": a file that came meanwhile is not overwritten either.
    writeFileSync(target, text, { flag: "wx" });
  }
}
