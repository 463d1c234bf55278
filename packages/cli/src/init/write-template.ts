import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures/usage-error.ts";
import type { TemplateFile } from "./template.ts";

/** Whether everything that makes a directory an agent would come from the template. */
export function isOursAlone(directory: string): boolean {
  if (!existsSync(directory)) return true;
  const present = new Set(readdirSync(directory));
  return !["skills", "modules", "tools", "heartbeat.md"].some((name) => present.has(name));
}

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
