import { dirname } from "node:path";
import type { SandboxOptions, SandboxRequest } from "./command-sandbox.ts";
import { hostsOf } from "./granted-paths.ts";
import { type Mount, type Mounts, mountOf } from "./mounts.ts";
import { DEFAULT_SECONDS, MAX_KIBIBYTES } from "./process-limits.ts";
import type { SandboxView } from "./types/sandbox.ts";

/** The parts of a sandbox. */
interface ViewedPlan {
  readonly mounts: Mounts;
  /** Missing paths that a command cannot create. Absolute. */
  readonly placeholders: readonly string[];
}

/** The access that a sandbox allows. */
export function sandboxView(
  request: SandboxRequest,
  options: SandboxOptions,
  { mounts, placeholders }: ViewedPlan,
): SandboxView {
  const { purpose } = request;
  const use = purpose === "shell" ? "shell" : "tool";
  const stated = typeof purpose === "string" ? undefined : purpose.timeout;
  return {
    ...visiblePaths(mounts),
    placeholders,
    network: hostsOf(request, options),
    ...(process.platform === "linux" && { kibibytes: MAX_KIBIBYTES[use] }),
    seconds: stated ?? DEFAULT_SECONDS[use === "shell" && options.workspace !== undefined ? "workspace" : use],
  };
}

/** The lists of paths of a `SandboxView`. */
type VisiblePaths = Pick<SandboxView, "writable" | "protected" | "hidden" | "shown" | "private">;

type List = keyof VisiblePaths;

/** The effect of mounts on the paths of the host. A path with the same access as its parent folder is in no list. */
function visiblePaths(mounts: Mounts): VisiblePaths {
  const lists: Record<List, string[]> = { writable: [], protected: [], hidden: [], shown: [], private: [] };
  for (const [path, mount] of [...mounts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const list = listOf(accessOf(mount), accessOf(path === "/" ? undefined : mountOf(mounts, dirname(path))));
    if (list !== undefined) lists[list].push(path);
  }
  return lists;
}

type Access = "read-only" | "writable" | "hidden" | "private" | "link";

function accessOf(mount: Mount | undefined): Access {
  switch (mount?.kind) {
    case undefined:
    case "read-only":
      return "read-only";
    case "stand-in":
    case "hidden-folder":
      return "hidden";
    case "writable":
    case "private":
    case "link":
      return mount.kind;
    default:
      return mount satisfies never;
  }
}

function listOf(access: Access, around: Access): List | undefined {
  // The target of a link is listed itself.
  if (access === "link") return undefined;
  if (access === around && access !== "private") return undefined;
  if (access !== "read-only") return access;
  return around === "writable" ? "protected" : "shown";
}
