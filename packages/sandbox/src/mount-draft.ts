import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, isWithin } from "@mdx-ai/base";
import { isFolder, pathWithin } from "@mdx-ai/base/disk";
import { type Mount, mountOf } from "./mounts.ts";

type Shown = "read-only" | "writable";

/** The mounts of a plan under construction. All paths are absolute, and real unless called a name. */
export class MountDraft {
  readonly mounts: Map<string, Mount>;
  readonly #emptyFile: string;
  /** The targets of names, cached: a plan looks up some of them repeatedly. */
  readonly #real = new Map<string, string | undefined>();

  /** Changes the given mounts. */
  constructor(mounts: Map<string, Mount>, emptyFile: string) {
    this.mounts = mounts;
    this.#emptyFile = emptyFile;
  }

  /** Like `realOf`, with a cache. */
  realOf(name: string): string | undefined {
    if (!this.#real.has(name)) this.#real.set(name, realOf(name));
    return this.#real.get(name);
  }

  /** The innermost mount that contains a path; undefined for the host's file system, which is read-only. */
  around(path: string): Mount | undefined {
    return mountOf(this.mounts, path);
  }

  /** Whether the host's file or folder at this path is visible. */
  isVisible(path: string): boolean {
    const kind = this.around(path)?.kind ?? "read-only";
    return kind === "read-only" || kind === "writable";
  }

  /** Shows the target of a name, at its real path, inside hidden folders. Never shows a path that is hidden itself. */
  show(name: string, kind: Shown = "read-only"): void {
    const real = this.realOf(name);
    if (real === undefined) return;
    const isMissing = !this.isVisible(real) || (kind === "writable" && this.around(real)?.kind !== "writable");
    if (isMissing && !this.mounts.has(real)) this.mounts.set(real, { kind });
  }

  /**
   * Makes shown files reachable by a name with links. If the link is in a visible folder, that folder is made reachable instead
   * of creating a link.
   */
  lead(path: string): void {
    const real = this.realOf(path);
    const name = resolve(path);
    if (real === undefined || real === name || this.isVisible(name)) return;
    const folder = this.realOf(dirname(name)) ?? dirname(name);
    if (this.isVisible(join(folder, basename(name)))) this.lead(dirname(name));
    else this.mounts.set(name, { kind: "link", target: real });
  }

  /** Hides a file or folder and everything in it. It cannot be moved away either. */
  hide(path: string): void {
    if (!this.isVisible(path)) return;
    const isHiddenFolder = isFolder(path);
    if (isHiddenFolder) this.#forgetIn(path);
    this.hold(dirname(path));
    this.mounts.set(path, isHiddenFolder ? { kind: "hidden-folder" } : { kind: "stand-in", source: this.#emptyFile });
  }

  /** Makes a file or folder and everything in it read-only. It cannot be moved away either. */
  protect(path: string): void {
    for (const place of isFolder(path) ? this.#in(path) : [path]) {
      if (this.mounts.get(place)?.kind === "writable") this.mounts.set(place, { kind: "read-only" });
    }
    if (this.around(path)?.kind !== "writable") return;
    this.hold(dirname(path));
    this.mounts.set(path, { kind: "read-only" });
  }

  #forgetIn(folder: string): void {
    for (const place of this.#in(folder)) this.mounts.delete(place);
  }

  #in(folder: string): readonly string[] {
    return [...this.mounts.keys()].filter((place) => isWithin(folder, place));
  }

  /** Makes a folder and its writable parents mounts, since a mount cannot be moved. */
  hold(folder: string): void {
    for (let held = folder; !this.mounts.has(held) && held !== dirname(held); held = dirname(held)) {
      if (this.around(held)?.kind !== "writable") return;
      this.mounts.set(held, { kind: "writable" });
    }
  }
}

/** The target of a path; undefined if it does not exist or this user may not read it. */
export const realOf = (path: string): string | undefined => attempt(() => realpathSync.native(path));

/**
 * Makes folders read-only that are in private folders and lead to shown paths. Otherwise a command could replace one, and files
 * that it wrote there would appear beside the shown ones and then be lost.
 */
export function pinFolders(mounts: Map<string, Mount>): void {
  const own = [...mounts].flatMap(([path, { kind }]) => (kind === "private" ? [path] : []));
  for (const path of [...mounts.keys()]) {
    const around = own.filter((folder) => folder !== path && isWithin(folder, path));
    const innermost = around.toSorted((one, other) => other.length - one.length)[0];
    const [first = "", ...rest] = (innermost && pathWithin(innermost, path)?.split("/")) || [];
    const way = join(innermost ?? "/", first);
    if (rest.length > 0 && !mounts.has(way)) mounts.set(way, { kind: "hidden-folder" });
  }
}
