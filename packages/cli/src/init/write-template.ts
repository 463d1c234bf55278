import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures/program-error.ts";
import type { TemplateFile } from "./template.ts";

/** What a directory contained before it became an agent. */
export type Precursor =
  /** Nothing, or only `.git`. */
  | "nothing"
  /** Files that do not belong to an agent. */
  | "other files"
  | "parts of an agent";

/** Inspects a directory that is to become an agent; it may not exist yet. */
export function precursor(directory: string): Precursor {
  const present = existsSync(directory) ? readdirSync(directory).filter((name) => name !== ".git") : [];
  if (PARTS.some((name) => present.includes(name))) return "parts of an agent";
  return present.length === 0 ? "nothing" : "other files";
}

const PARTS: readonly string[] = ["skills", "modules", "tools", "heartbeat.md"];

/** Writes the files. If one of them exists, throws `UsageError` before writing any. */
export function writeTemplate(directory: string, files: readonly TemplateFile[]): void {
  const present = files.map(({ path }) => join(directory, path)).find((path) => existsSync(path));
  if (present !== undefined) throw new UsageError(`${present} already exists; nothing was changed`);
  for (const { path, text } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    // "wx": a file that appeared meanwhile is not overwritten either.
    writeFileSync(target, text, { flag: "wx" });
  }
}
