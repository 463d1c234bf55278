import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { hasProcess } from "./has-process.ts";

/**
 * What a name ends with that is only for a while: the machine and the number of the process that uses it, so that others can
 * tell its end.
 */
const ENDING = /\.(?:([0-9a-z]{1,13})-)?(\d{1,10})-[0-9a-f]{8}-[0-9a-f-]{27}(\.tmp)?$/;

/** Milliseconds after which nobody works on a draft any more, wherever it was. */
const LONG = 86_400_000;

/** A name that nothing else has, for a file or a folder on its way to another name. */
export const draftName = (name: string): string => `${name}.${thisMachine()}-${process.pid}-${crypto.randomUUID()}.tmp`;

/** A few letters for this machine, or container. */
const thisMachine = (): string => Bun.hash(hostname()).toString(36);

/**
 * Removes what processes that have ended left on its way, from a folder that need not be there; where users name what is in it,
 * only names with a `prefix` that theirs cannot have are drafts. Never throws.
 */
export function sweepDrafts(folder: string, prefix = ""): void {
  if (!existsSync(folder)) return;
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.startsWith(prefix) && isLeft(path)) rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Left for the next one.
  }
}

/** The numbers of another machine's processes say nothing here. */
function isLeft(path: string): boolean {
  const [ending, machine, pid] = ENDING.exec(path) ?? [];
  if (ending === undefined) return false;
  return machine === thisMachine() ? !hasProcess(Number(pid)) : Date.now() - statSync(path).mtimeMs > LONG;
}
