import { dirname, join } from "node:path";
import { foldersFrom, isWithin } from "@mdx-ai/base";

/** The content that a sandbox shows at a path. */
export type Mount =
  /** The file or folder of the host at this path. */
  | { readonly kind: "read-only" | "writable" }
  /** Another file or folder of the host, which cannot be changed. Absolute. */
  | { readonly kind: "stand-in"; readonly source: string }
  /**
   * A writable folder that is empty at first. If it has a name among the private folders, and nothing else is shown in it, all
   * sandboxes of the agent share it. Otherwise it belongs to one sandbox: nothing is mounted in folders that commands can write.
   */
  | { readonly kind: "private"; readonly name?: string; readonly mode: "0700" | "1777" }
  /** An empty folder in which nothing can be created. */
  | { readonly kind: "hidden-folder" }
  | { readonly kind: "link"; readonly target: string };

/** A placeholder for a path that does not exist and must not be created. */
export const RESERVED: Mount = { kind: "read-only" };

/** The mounts of a sandbox, by absolute path. The rest of the host's file system is visible and read-only. */
export type Mounts = ReadonlyMap<string, Mount>;

/** The path of the innermost mount at or above a path; undefined for the host's file system, which is read-only. */
export function mountPathOf(mounts: Mounts, path: string): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const place = path.slice(0, end);
    if (mounts.has(place)) return place;
  }
  return mounts.has("/") ? "/" : undefined;
}

/** The innermost mount at or above a path. */
export function mountOf(mounts: Mounts, path: string): Mount | undefined {
  const place = mountPathOf(mounts, path);
  return place === undefined ? undefined : mounts.get(place);
}

/** Whether a folder of the host exists in a sandbox, even as an empty folder. */
export function isThere(mounts: Mounts, folder: string): boolean {
  const place = mountPathOf(mounts, folder);
  const kind = place === undefined ? "read-only" : mounts.get(place)?.kind;
  if (place === folder || kind === "read-only" || kind === "writable") return true;
  return [...mounts.keys()].some((path) => isWithin(folder, path));
}

/** The name, among the private folders, of the empty folder that replaces hidden ones. */
export const NOTHING = "nothing";

/** The size of the folder that replaces a hidden folder with shown contents. */
const HIDDEN_BYTES = 65_536;

/** The size of a private folder of a single sandbox, in bytes. */
const PRIVATE_BYTES = 16_777_216;

/**
 * The bubblewrap arguments for the mounts, with the shared private folders in `privateFolder`. An inner path comes after the
 * outer one.
 */
export function mountArguments(mounts: Mounts, privateFolder: string): string[] {
  const paths = [...Map.groupBy(mounts, ([path]) => depthOf(path))]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, ofDepth]) => ofDepth);
  const around = new Set(paths.flatMap(([path]) => foldersFrom(dirname(path))));
  const isClosed = ([path, { kind }]: readonly [string, Mount]): boolean =>
    kind === "hidden-folder" && around.has(path);
  // Mounts inside a hidden folder must be created before the folder becomes read-only.
  return [
    ...paths.flatMap(([path, mount]) => argumentsOf(path, mount, around.has(path) ? undefined : privateFolder)),
    ...paths.filter(isClosed).flatMap(([path]) => ["--remount-ro", path]),
  ];
}

/** `privateFolder` is undefined for a path that contains other mounts. */
function argumentsOf(path: string, mount: Mount, privateFolder: string | undefined): string[] {
  switch (mount.kind) {
    case "read-only":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "stand-in":
      return ["--ro-bind", mount.source, path];
    case "private":
      if (mount.name !== undefined && privateFolder !== undefined)
        return ["--bind", join(privateFolder, mount.name), path];
      return ["--perms", mount.mode, "--size", String(PRIVATE_BYTES), "--tmpfs", path];
    case "hidden-folder":
      if (privateFolder !== undefined) return ["--ro-bind", join(privateFolder, NOTHING), path];
      return ["--size", String(HIDDEN_BYTES), "--tmpfs", path];
    case "link":
      return ["--symlink", mount.target, path];
    default:
      return mount satisfies never;
  }
}

/** The depth of a path; "/" has depth 0. */
const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);
