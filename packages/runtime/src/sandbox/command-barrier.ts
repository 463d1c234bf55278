import type { SandboxAccess } from "../types/permission.ts";
import { type Contained, containmentNote } from "./containment-note.ts";
import { heldBack, type ShownEnd } from "./held-back.ts";

/** What one command may do. */
interface Allowed extends Contained {
  /** Hosts that the proxy refused so far. */
  readonly refused: ReadonlySet<string>;
  /** What it may write beyond what all commands may. Absolute and real. */
  readonly writable: readonly string[];
}

/** Finds out what the sandbox of one command held back. */
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
    const { hosts, refused, writable } = this.#allowed;
    return heldBack({ ...ended, cwd: this.#cwd, hosts, refused: [...refused], writable });
  }

  /** As `Enclosure.noteOn`. */
  noteOn(ended: ShownEnd): string {
    return containmentNote(ended.output, this.heldBack(ended), this.#allowed);
  }
}
