import type { SandboxAccess } from "../types/permission.ts";
import { type Contained, containmentNote } from "./containment-note.ts";
import { blockedHosts, type EndedCommand, heldBack, type ShownEnd } from "./held-back.ts";
import { namedPaths } from "./held-back-path.ts";
import { hiddenPlace, hiddenRead } from "./hidden-place.ts";
import { type Mount, type Mounts, mountOf } from "./mounts.ts";

const WRITABLE: readonly (Mount["kind"] | undefined)[] = ["writable", "private"];

/** What one command may do. */
interface Allowed extends Contained {
  /** Hosts that the proxy refused so far. */
  readonly refused: ReadonlySet<string>;
  readonly mounts: Mounts;
}

/** Finds out what the sandbox of one command blocked. */
export class CommandBarrier {
  readonly #allowed: Allowed;
  #cwd = "/";

  constructor(allowed: Allowed) {
    this.#allowed = allowed;
  }

  /** To be called when the command begins in a folder. */
  begin(cwd: string): void {
    this.#cwd = cwd;
  }

  /** As `Enclosure.heldBack`. */
  heldBack(ended: ShownEnd): SandboxAccess | undefined {
    return heldBack(this.#ended(ended));
  }

  /** As `Enclosure.noteOn`. */
  noteOn(shown: ShownEnd): string {
    const { mounts, refused } = this.#allowed;
    // Most commands: nothing to search for.
    if (shown.exitCode === 0 && shown.output === "" && refused.size === 0) return "";
    const ended = this.#ended(shown);
    const hidden = hiddenPlace({ ...shown, cwd: this.#cwd, mounts });
    // What is mounted cannot be replaced or removed, as git does with its settings and with files of another branch.
    const busy = namedPaths("busy", ended).flatMap(({ paths }) => paths.filter((path) => mounts.has(path)).slice(0, 1));
    const barred = { held: heldBack(ended), hosts: blockedHosts(ended), hidden, kept: [...new Set(busy)] };
    return containmentNote(shown.output, barred, this.#allowed);
  }

  #ended(shown: ShownEnd): EndedCommand {
    const { hosts, refused, mounts } = this.#allowed;
    const isWritable = (path: string): boolean => WRITABLE.includes(mountOf(mounts, path)?.kind);
    const missed = hiddenRead({ ...shown, cwd: this.#cwd, mounts });
    return { ...shown, cwd: this.#cwd, hosts, refused: [...refused], isWritable, missed };
  }
}
