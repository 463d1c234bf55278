import type { ShownEnd } from "./held-back.ts";
import { namedPaths } from "./held-back-path.ts";
import { type Mount, type Mounts, mountPlace } from "./mounts.ts";
import { OWN_CACHES, OWN_HOME } from "./private-folders.ts";

/** The messages of programs that lack the user's name or keys. */
const HOMELESS =
  /\bPlease tell me who you are\b|\bunable to auto-detect email address\b|\bcould not read (?:Username|Password) for\b|\bENEEDAUTH\b|\bHost key verification failed\b|\bPermission denied \(publickey/i;

/** A folder whose outside contents a command does not see. */
export interface HiddenPlace {
  /** Absolute. */
  readonly place: string;
  /** Whether the sandbox has one of its own there, which commands can write. */
  readonly isOwn: boolean;
}

/** A command that has ended, and its view of the files. */
interface SeenBy extends ShownEnd {
  /** The folder in which it began. Absolute. */
  readonly cwd: string;
  readonly mounts: Mounts;
}

/**
 * The hidden folder of the first file that an output says is not there, or the home folder if an output shows that the user's settings
 * or keys are missing; undefined if nothing hidden is missed. Whether the file exists
 * outside does not count: that stays hidden, too.
 */
export function hiddenPlace({ mounts, ...ended }: SeenBy): HiddenPlace | undefined {
  const paths = namedPaths("absent", ended).flatMap(({ paths }) => paths);
  return paths.flatMap((path) => hiddenAround(mounts, path) ?? [])[0] ?? missedHome(mounts, ended.output);
}

function hiddenAround(mounts: Mounts, path: string): HiddenPlace | undefined {
  const place = mountPlace(mounts, path);
  const mount = place === undefined ? undefined : mounts.get(place);
  if (place === undefined || mount === undefined || CACHES.includes(mount)) return undefined;
  if (mount.kind === "private") return { place, isOwn: true };
  return mount.kind === "hidden-folder" ? { place, isOwn: false } : undefined;
}

function missedHome(mounts: Mounts, output: string): HiddenPlace | undefined {
  if (!HOMELESS.test(output)) return undefined;
  const [home] = [...mounts].find(([, mount]) => mount === OWN_HOME) ?? [];
  return home === undefined ? undefined : { place: home, isOwn: true };
}

/** A file that is missing in a cache was never downloaded. */
const CACHES: readonly Mount[] = [...OWN_CACHES.values()];
