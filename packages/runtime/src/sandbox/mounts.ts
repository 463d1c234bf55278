import { dirname, join } from "node:path";

/** What a sandbox shows at a path. */
export type Mount =
  /** The file or folder of the host at this path. */
  | { readonly kind: "read-only" | "writable" }
  /** Another file or folder of the host, which cannot be changed. Absolute. */
  | { readonly kind: "stand-in"; readonly source: string }
  /** A writable folder that only the sandboxes of this agent see, empty at first. Its name among the private folders. */
  | { readonly kind: "private"; readonly name: string }
  /** An empty folder in which nothing can be created. */
  | { readonly kind: "hidden-folder" }
  | { readonly kind: "link"; readonly target: string };

/** What a sandbox shows, by absolute path. It sees the rest of the host's file system read-only. */
export type Mounts = ReadonlyMap<string, Mount>;

/** The size of the empty folder that replaces a hidden one. */
const HIDDEN_BYTES = 65_536;

/** The links in private folders, which an earlier sandbox may have made already: bubblewrap makes others only. */
export function privateLinks(mounts: Mounts): readonly { readonly path: string; readonly target: string }[] {
  return [...mounts].flatMap(([path, mount]) =>
    mount.kind === "link" && isInPrivate(path, mounts) ? [{ path, target: mount.target }] : [],
  );
}

function isInPrivate(path: string, mounts: Mounts): boolean {
  let folder = dirname(path);
  while (!mounts.has(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return mounts.get(folder)?.kind === "private";
}

/** The arguments of bubblewrap for the mounts but `privateLinks`, where the private folders are in `privateFolder`; an inner path comes after the outer one. */
export function mountArguments(mounts: Mounts, privateFolder: string): string[] {
  const isMade = ([path, { kind }]: readonly [string, Mount]): boolean => kind !== "link" || !isInPrivate(path, mounts);
  const paths = [...mounts].filter(isMade).toSorted(([one], [other]) => depthOf(one) - depthOf(other));
  const hidden = paths.flatMap(([path, { kind }]) => (kind === "hidden-folder" ? ["--remount-ro", path] : []));
  // Mounts inside a hidden folder must be created before the folder becomes read-only.
  return [...paths.flatMap(([path, mount]) => argumentsOf(path, mount, privateFolder)), ...hidden];
}

function argumentsOf(path: string, mount: Mount, privateFolder: string): string[] {
  switch (mount.kind) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "stand-in":
      return ["--ro-bind", mount.source, path];
    case "private":
      return ["--bind", join(privateFolder, mount.name), path];
    case "hidden-folder":
      return ["--size", String(HIDDEN_BYTES), "--tmpfs", path];
    case "link":
      return ["--symlink", mount.target, path];
    default:
      return mount satisfies never;
  }
}

/** How many folders deep a path is; "/" is 0 deep. */
export const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);
