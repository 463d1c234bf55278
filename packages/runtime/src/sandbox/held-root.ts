import { attempt } from "@mdx-ai/base";
import { AbsenceMarkers } from "./absence-markers.ts";
import { absentAmong, moveAside, thereAmong } from "./move-aside.ts";

/** A folder with protected paths, which are relative to it and separated by "/". */
export interface ProtectedRoot {
  /** Absolute and real. */
  readonly folder: string;
  /** The kind of the protected files, for people: "files that …". */
  readonly kind: string;
  /** The protected paths, existing or not. */
  readonly protectedPaths: (when: Beginning) => readonly string[];
  /** Further paths that came into being since the first command began that still runs. `isLast`: nobody waits for it. */
  readonly created?: (isLast: boolean) => readonly string[];
}

/** What is known when a command begins. */
interface Beginning {
  /** Whether no other one runs. */
  readonly isFirst: boolean;
  /** As `AbsenceMarkers.lastMade`. */
  readonly lastMade: string | undefined;
}

/** The paths of a folder that did not exist when the commands began that run now. What these create there is set aside. */
export class HeldRoot {
  readonly #root: ProtectedRoot;
  readonly markers: AbsenceMarkers;
  #paths: readonly string[] = [];

  /** `folder` is that of `runFolder`. Throws the file system's error. */
  constructor(root: ProtectedRoot, folder: string) {
    this.#root = root;
    this.markers = new AbsenceMarkers(root.folder, folder);
  }

  /** The protected paths that do not exist now. */
  absent(): readonly string[] {
    return this.#absent(false);
  }

  /** Notes the absent paths before a command begins. Returns what it set aside of earlier ones, as `moveAside` does. Throws the file system's error. */
  hold(asideDir: string, isFirst: boolean, prepare: () => void = () => {}): string {
    return this.markers.underLock(() => {
      prepare();
      const line = this.#moveAside(asideDir, isFirst ? [] : this.#created(false));
      // Retries files that could not be moved.
      this.#paths = [...new Set([...this.#paths, ...this.#absent(isFirst)])];
      this.markers.write(asideDir, this.#paths);
      return line;
    });
  }

  /** Sets aside what exists of them now. Returns what `moveAside` does. Never throws. */
  settle(asideDir: string, isLast: boolean): string {
    const created = this.#created(isLast);
    if (created.length === 0 && thereAmong(this.markers.agentDir, this.#paths).length === 0) return "";
    return attempt(() => this.markers.underLock(() => this.#moveAside(asideDir, created))) ?? "";
  }

  /** To be called when all commands have ended. Never throws. */
  release(): void {
    this.#paths = [];
    attempt(() => this.markers.underLock(() => this.markers.remove(this.markers.own)));
  }

  #absent(isFirst: boolean): readonly string[] {
    const paths = this.#root.protectedPaths({ isFirst, lastMade: this.markers.lastMade() });
    return absentAmong(this.markers.agentDir, paths);
  }

  #created(isLast: boolean): readonly string[] {
    return this.#root.created?.(isLast) ?? [];
  }

  #moveAside(asideDir: string, created: readonly string[]): string {
    const paths = [...this.#paths, ...created];
    return moveAside({ agentDir: this.markers.agentDir, asideDir, paths, kind: this.#root.kind });
  }
}
