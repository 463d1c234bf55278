import type { SandboxAccess } from "../types/permission.ts";
import { type Contained, containmentNote } from "./containment-note.ts";
import { heldBack, type ShownEnd } from "./held-back.ts";
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
    const { hosts, refused, mounts } = this.#allowed;
    const isWritable = (path: string): boolean => WRITABLE.includes(mountOf(mounts, path)?.kind);
    const missed = hiddenRead({ ...ended, cwd: this.#cwd, mounts });
    return heldBack({ ...ended, cwd: this.#cwd, hosts, refused: [...refused], isWritable, missed });
  }

  /** As `Enclosure.noteOn`. */
  noteOn(ended: ShownEnd): string {
    const { mounts, refused } = this.#allowed;
    // Most commands: nothing to search for.
    if (ended.exitCode === 0 && ended.output === "" && refused.size === 0) return "";
    const hidden = hiddenPlace({ ...ended, cwd: this.#cwd, mounts });
    return containmentNote(ended.output, { held: this.heldBack(ended), hidden }, this.#allowed);
  }
}
