import { type Dirent, lstatSync, readdirSync, statfsSync } from "node:fs";
import { attempt } from "../errors/attempt.ts";

/** The entries of a folder; undefined if it cannot be listed. */
export type ListFolder = (folder: string) => readonly Dirent[] | undefined;

interface Listing {
  readonly entries: readonly Dirent[];
  readonly stamp: FolderStamp | undefined;
}

interface FolderStamp {
  /** Identifies the folder, also after a rename. */
  readonly identity: string;
  /** Changes when an entry is added or removed; undefined if that is not certain. */
  readonly times: string | undefined;
}

/** The most entries that are kept between passes. */
const MAX_KEPT = 200_000;

/** A folder that changed this recently, in milliseconds, may change again with the same time. */
const SETTLING = 3_000;

/** File systems of this machine that record the time of every change of a folder: ext4, XFS, Btrfs, tmpfs, OverlayFS, ZFS, F2FS. */
const TIMED: readonly number[] = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010];

/** Whether the file system of a folder records the time of every change by this machine's clock. Throws the file system's error. */
export const isTimed = (folder: string): boolean => TIMED.includes(statfsSync(folder).type);

/** Lists folders repeatedly. A folder that has not changed since the last pass is not read again. */
export class FolderListings {
  #last: ReadonlyMap<string, Listing> = new Map();
  readonly #timed = new Map<bigint, boolean>();
  readonly #now: () => number;
  #reads = 0;

  /** `now` is the time in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The folders that were read. */
  get reads(): number {
    return this.#reads;
  }

  /** Returns the identities of the folders of the last pass; undefined for other folders. */
  identities(): (folder: string) => string | undefined {
    const last = this.#last;
    return (folder) => last.get(folder)?.stamp?.identity;
  }

  /** Lists folders for one pass: each is read once at most. */
  look(): ListFolder {
    const before = this.#last;
    const seen = new Map<string, Listing>();
    let kept = 0;
    this.#last = seen;
    return (folder) => {
      const listing = seen.get(folder) ?? this.#list(folder, before.get(folder));
      if (listing && !seen.has(folder) && kept <= MAX_KEPT) {
        seen.set(folder, listing);
        kept += 1 + listing.entries.length;
      }
      return listing?.entries;
    };
  }

  #list(folder: string, before: Listing | undefined): Listing | undefined {
    // The stamp is older than the entries: a change meanwhile is noticed at the next pass.
    const stamp = attempt(() => this.#stampOf(folder));
    if (
      stamp?.times !== undefined &&
      before?.stamp?.identity === stamp.identity &&
      before.stamp.times === stamp.times
    ) {
      return before;
    }
    this.#reads += 1;
    const entries = attempt(() => readdirSync(folder, { withFileTypes: true }));
    return entries && { entries, stamp };
  }

  /** Throws the file system's error. */
  #stampOf(folder: string): FolderStamp {
    const { dev, ino, mtimeNs, ctimeNs, ctimeMs } = lstatSync(folder, { bigint: true });
    const isSettled = this.#now() - Number(ctimeMs) > SETTLING;
    const isCertain = isSettled && this.#hasTimes(dev, folder);
    return { identity: `${dev}:${ino}`, times: isCertain ? `${mtimeNs}:${ctimeNs}` : undefined };
  }

  #hasTimes(device: bigint, folder: string): boolean {
    const hasTimes = this.#timed.get(device) ?? isTimed(folder);
    this.#timed.set(device, hasTimes);
    return hasTimes;
  }
}
