import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasProcess } from "./has-process.ts";

/** What a name ends with that is only for a while: the number of the process that uses it, so that others can tell its end. */
const ENDING = /\.(\d{1,10})-[0-9a-f]{8}-[0-9a-f-]{27}(\.tmp)?$/;

/** A name that nothing else has, for a file or a folder on its way to another name. */
export const draftName = (name: string): string => `${name}.${process.pid}-${crypto.randomUUID()}.tmp`;

/**
 * Removes what processes that have ended left on its way, from a folder that need not be there; where users name what is in it,
 * only names with a `prefix` that theirs cannot have are drafts. Never throws.
 */
export function sweepDrafts(folder: string, prefix = ""): void {
  if (!existsSync(folder)) return;
  try {
    for (const name of readdirSync(folder)) {
      const pid = name.startsWith(prefix) ? ENDING.exec(name)?.[1] : undefined;
      if (pid !== undefined && !hasProcess(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // Left for the next one.
  }
}
