import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readWholeFile } from "../files/read-whole-file.ts";
import { jsonValue } from "../json-value.ts";
import { isRunning, processBirth } from "../lock/process-birth.ts";
import { isRecord } from "../record.ts";
import { underLock } from "./folder-lock.ts";
import { openJanitor } from "./janitor.ts";
import type { LastWill } from "./last-will.ts";
import { makePlaceholders, removePlaceholders } from "./placeholder.ts";
import { keepFolder } from "./run-folder.ts";

interface MountPointsOptions {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Where the user's sandboxes know of each other. Absolute. */
  readonly folder: string;
  /** The control group of the processes, which goes when this process has ended. */
  readonly group?: string | undefined;
}

/**
 * The places to mount upon that the sandboxes of one agent directory need for what is absent there. They stand while any
 * sandbox of any process of this user holds them.
 */
export class MountPoints {
  readonly #agentDir: string;
  readonly #lock: string;
  readonly #prefix: string;
  readonly #folder: string;
  readonly #marker: string;
  readonly #janitor: LastWill;
  #holders = 0;

  constructor({ agentDir, folder, group = "" }: MountPointsOptions) {
    this.#agentDir = agentDir;
    this.#folder = folder;
    const hash = Bun.hash(agentDir).toString(36);
    this.#prefix = `${hash}.held-`;
    this.#lock = join(folder, `${hash}.lock`);
    this.#marker = join(folder, `${this.#prefix}${process.pid}-${crypto.randomUUID()}`);
    this.#janitor = openJanitor({
      agentDir,
      lock: this.#lock,
      prefix: join(folder, this.#prefix),
      marker: this.#marker,
      group,
    });
  }

  /**
   * Has places stand where something is absent, until what it gives is called, which never throws. Throws what the file
   * system says.
   */
  hold(): () => void {
    this.#janitor.start();
    this.#underLock(() => {
      if (this.#holders === 0) this.#mark();
      makePlaceholders(this.#agentDir);
    });
    this.#holders += 1;
    let held = true;
    return () => {
      if (held) this.#release();
      held = false;
    };
  }

  /** As `LastWill.watch`. */
  watch(pid: number): () => void {
    return this.#janitor.watch(pid);
  }

  /** Never rejects. */
  close(): Promise<void> {
    return this.#janitor.close();
  }

  #mark(): void {
    const holder = { pid: process.pid, birth: processBirth(process.pid) };
    writeFileSync(this.#marker, JSON.stringify(holder), { mode: 0o600 });
  }

  #release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    try {
      this.#underLock(() => {
        rmSync(this.#marker, { force: true });
        this.#removeUnheld();
      });
    } catch {
      // Left for the janitor, or for who holds them next: nobody waits for this who could do anything about it.
    }
  }

  #underLock(work: () => void): void {
    keepFolder(this.#folder);
    underLock(this.#lock, work);
  }

  #removeUnheld(): void {
    const markers = readdirSync(this.#folder).filter((name) => name.startsWith(this.#prefix));
    const isHeld = markers.map((name) => isLive(join(this.#folder, name))).includes(true);
    if (!isHeld) removePlaceholders(this.#agentDir);
  }
}

/** Whether the process that made a marker still runs; if not, the marker goes. */
function isLive(marker: string): boolean {
  const holder = jsonValue(readWholeFile(marker).toString("utf8"));
  const { pid, birth } = isRecord(holder) ? holder : {};
  if (typeof pid === "number" && isRunning(pid, typeof birth === "string" ? birth : undefined)) return true;
  rmSync(marker, { force: true });
  return false;
}
