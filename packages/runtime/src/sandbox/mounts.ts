/** What a sandbox shows at a path. */
export type Mount =
  /** The file or folder of the host at this path. */
  | { readonly kind: "read-only" | "writable" }
  /** Another file or folder of the host, which cannot be changed. Absolute. */
  | { readonly kind: "stand-in"; readonly source: string }
  /** An empty writable folder that exists in this sandbox only. */
  | { readonly kind: "private"; readonly bytes: number; readonly mode: "0700" | "1777" }
  /** An empty folder in which nothing can be created. */
  | { readonly kind: "hidden-folder" }
  | { readonly kind: "link"; readonly target: string };

/** What a sandbox shows, by absolute path. It sees the rest of the host's file system read-only. */
export type Mounts = ReadonlyMap<string, Mount>;

/** The size of the empty folder that replaces a hidden one. */
const HIDDEN_BYTES = 65_536;

/** The arguments of bubblewrap for the mounts; an inner path comes after the outer one. */
export function mountArguments(mounts: Mounts): string[] {
  const paths = [...mounts].toSorted(([one], [other]) => depthOf(one) - depthOf(other));
  const hidden = paths.flatMap(([path, { kind }]) => (kind === "hidden-folder" ? ["--remount-ro", path] : []));
  // Mounts inside a hidden folder must be created before the folder becomes read-only.
  return [...paths.flatMap(([path, mount]) => argumentsOf(path, mount)), ...hidden];
}

function argumentsOf(path: string, mount: Mount): string[] {
  switch (mount.kind) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "stand-in":
      return ["--ro-bind", mount.source, path];
    case "private":
      return ["--perms", mount.mode, "--size", String(mount.bytes), "--tmpfs", path];
    case "hidden-folder":
      return ["--size", String(HIDDEN_BYTES), "--tmpfs", path];
    case "link":
      return ["--symlink", mount.target, path];
    default:
      return mount satisfies never;
  }
}

const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);
