import { join } from "node:path";
import { isFileOrFolder, realPlaceOrSame } from "@mdx-ai/base/disk";
import type { SandboxAccess } from "../types/permission.ts";
import type { ShownEnd } from "./held-back.ts";
import { namedPaths } from "./held-back-path.ts";
import { type Mount, type Mounts, mountPlace } from "./mounts.ts";
import { OWN_CACHES, OWN_HOME } from "./private-folders.ts";

/** The messages of programs that lack the user's name or keys, and the files of the home folder that hold these. */
const HOMELESS: readonly (readonly [message: RegExp, files: readonly string[]])[] = [
  [/\bPlease tell me who you are\b|\bunable to auto-detect email address\b/i, [".gitconfig", ".config/git/config"]],
  [
    /\bcould not read (?:Username|Password) for\b/i,
    [".gitconfig", ".config/git/config", ".git-credentials", ".config/git/credentials", ".netrc"],
  ],
  [/\bENEEDAUTH\b/i, [".npmrc"]],
  [/\bHost key verification failed\b/i, [".ssh/known_hosts"]],
  // No private key is offered that a program does not name.
  [/\bPermission denied \(publickey/i, []],
];

/** A folder whose outside contents a command does not see. */
export interface HiddenPlace {
  /** Absolute. */
  readonly place: string;
  /** Whether the sandbox has one of its own there, which commands can write. */
  readonly isOwn: boolean;
}

type HiddenRead = Extract<SandboxAccess, { kind: "read" }>;

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
  const home = homeIn(mounts);
  const isMissed = HOMELESS.some(([message]) => message.test(output));
  return isMissed && home !== undefined ? { place: home, isOwn: true } : undefined;
}

/**
 * The first file or folder that an output says is not there, or whose settings or keys it says are missing, and that the sandbox
 * hides although it exists; undefined if there is none.
 */
export function hiddenRead({ mounts, ...ended }: SeenBy): HiddenRead | undefined {
  const named = namedPaths("absent", ended).flatMap(({ names }) => names);
  return [...named, ...missedSettings(mounts, ended.output)].flatMap((name) => hiddenAt(mounts, name) ?? [])[0];
}

function missedSettings(mounts: Mounts, output: string): readonly string[] {
  const home = homeIn(mounts);
  if (home === undefined) return [];
  return HOMELESS.flatMap(([message, files]) => (message.test(output) ? files.map((file) => join(home, file)) : []));
}

function hiddenAt(mounts: Mounts, name: string): HiddenRead | undefined {
  const path = realPlaceOrSame(name);
  // What is shown may lack a link that leads there.
  const isHidden = [path, name].some((place) => hiddenAround(mounts, place) !== undefined);
  if (!isHidden || !isFileOrFolder(path)) return undefined;
  return { kind: "read", path, ...(name !== path && { name }) };
}

const homeIn = (mounts: Mounts): string | undefined => [...mounts].find(([, mount]) => mount === OWN_HOME)?.[0];

/** A file that is missing in a cache was never downloaded. */
const CACHES: readonly Mount[] = [...OWN_CACHES.values()];
