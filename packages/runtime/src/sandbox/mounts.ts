/** What a sandbox shows at a place of the file system. */
export type Mount =
  /** What the host has there. */
  | { readonly kind: "read-only" | "writable" }
  /** Another file or folder of the host, which cannot be changed. Absolute. */
  | { readonly kind: "stand-in"; readonly source: string }
  /** An empty folder of the sandbox's own. */
  | { readonly kind: "private"; readonly bytes: number }
  /** An empty folder in which nothing can be made. */
  | { readonly kind: "hidden-folder" }
  | { readonly kind: "link"; readonly target: string };

/** By absolute place, what a sandbox shows in the stead of the host's file system, of which it sees all else read-only. */
export type Mounts = ReadonlyMap<string, Mount>;

/** Bytes that a folder may hold that stands in for a hidden one. */
const HIDDEN_BYTES = 65_536;

/** The arguments by which bubblewrap makes the mounts: what lies within another place comes after it. */
export function mountArguments(mounts: Mounts): string[] {
  const places = [...mounts].toSorted(([one], [other]) => depthOf(one) - depthOf(other));
  const hidden = places.flatMap(([place, { kind }]) => (kind === "hidden-folder" ? ["--remount-ro", place] : []));
  // What lies within a hidden folder must be made before nothing can be made there any more.
  return [...places.flatMap(([place, mount]) => argumentsOf(place, mount)), ...hidden];
}

function argumentsOf(place: string, mount: Mount): string[] {
  switch (mount.kind) {
    case "read-only":
      return ["--ro-bind", place, place];
    case "writable":
      return ["--bind", place, place];
    case "stand-in":
      return ["--ro-bind", mount.source, place];
    case "private":
      return ["--perms", "1777", "--size", String(mount.bytes), "--tmpfs", place];
    case "hidden-folder":
      return ["--size", String(HIDDEN_BYTES), "--tmpfs", place];
    case "link":
      return ["--symlink", mount.target, place];
    default:
      return mount satisfies never;
  }
}

const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);
