import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { pathWithin, realPlaceOrSame } from "@mdx-ai/base/disk";
import { foldersOf } from "../permissions/defining-files.ts";

/** Folders of moved files that are kept; older ones are removed. */
const MOST_FOLDERS = 20;

/**
 * A shell script that moves paths of an agent directory, or of another folder, into a new folder: its arguments are the directory and the folder of
 * such folders, both real, and the paths. A link is moved as a link, even if it is on the way to a path; a folder that
 * others exchange for a link meanwhile leads nowhere else, since each step is checked from within. Prints the new folder and
 * the paths that it moved, each with a null character behind it; nothing if none of them exists. The reaper runs it too.
 */
export const MOVE_ASIDE: string = `
umask 077
agent=$1 folders=$2 target=
shift 2
for path do
  cd "$agent" || exit
  way=
  part=\${path%%/*}
  while [ "$part" != "$path" ] && [ ! -L "$part" ]; do
    cd "./$part" 2>/dev/null && [ "$(pwd -P)" = "$agent/$way$part" ] || continue 2
    way=$way$part/ path=\${path#*/}
    part=\${path%%/*}
  done
  [ -e "$part" ] || [ -L "$part" ] || continue
  if [ -z "$target" ]; then
    target=$(mktemp -d "$folders/$(date -u +%Y-%m-%dT%H-%M-%S)-XXXXXX") || exit
    printf '%s\\0' "$target"
  fi
  mkdir -p "$target/$way"
  mv -fT -- "./$part" "$target/$way$part" 2>/dev/null || {
    [ -L "$part" ] || chmod u+rwx "./$part"
    mv -fT -- "./$part" "$target/$way$part"
  } && printf '%s\\0' "$way$part"
done
[ -n "$target" ] || exit 0
cd "$folders" && ls -1 | head -n -${MOST_FOLDERS} | while read -r old; do
  chmod -R u+rwx "./$old"
  rm -rf "./$old"
done
`;

/** The paths to move, and their target. */
interface Misplaced {
  /** Absolute and real. */
  readonly agentDir: string;
  /** Receives a folder for the moved files. Absolute and real. */
  readonly asideDir: string;
  /** Relative to the agent directory, separated by "/". */
  readonly paths: readonly string[];
  /** What such files do, for people: "files that …"; those of an agent directory if absent. */
  readonly kind?: string | undefined;
}

/**
 * Moves those of the paths that exist out of the agent directory, and nothing else. Returns a line that says so, or that it
 * failed; "" if none of them exists. Never throws.
 */
export function moveAside({ agentDir, asideDir, paths, kind = OF_AGENT }: Misplaced): string {
  const existing = thereAmong(agentDir, paths);
  if (existing.length === 0) return "";
  const mover = attempt(() =>
    Bun.spawnSync(["/bin/sh", "-c", MOVE_ASIDE, "mdx-ai", agentDir, asideDir, ...existing], {
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      stderr: "ignore",
    }),
  );
  const [folder = "", ...moved] = mover?.stdout.toString("utf8").split("\0").slice(0, -1) ?? [];
  const left = thereAmong(agentDir, existing);
  return [
    ...(moved.length === 0
      ? []
      : [`moved ${moved.join(", ")} to ${pathWithin(agentDir, folder) ?? folder}: ${reasonFor(kind)}`]),
    ...(left.length === 0
      ? []
      : [`could not move ${left.join(", ")} away; remove files that you did not create: ${reasonFor(kind)}`]),
  ].join("; ");
}

/** The files that an agent directory protects. */
export const OF_AGENT = "define or record the agent";

/** Those that a workspace protects. */
export const OF_WORKSPACE = "run code on their own";

const reasonFor = (kind: string): string => `commands must not create files that ${kind}; write_file can ask the user`;

/** Whether a path exists; a link on the way to it counts as the path, wherever it leads. */
export function isThere(agentDir: string, path: string): boolean {
  const statsOf = (part: string): Stats | undefined =>
    attempt(() => lstatSync(join(agentDir, part), { throwIfNoEntry: false }));
  return statsOf(path) !== undefined || foldersOf(path).some((folder) => statsOf(folder)?.isSymbolicLink());
}

/** Those of the paths that exist, as `isThere` finds them. */
export function thereAmong(agentDir: string, paths: readonly string[]): readonly string[] {
  const isMissing = missingIn(agentDir);
  return paths.filter((path) => !isMissing(path) && isThere(agentDir, path));
}

/** Listing a folder once rules out most paths in it. A file system may ignore the case of ASCII letters, and more of others. */
function missingIn(folder: string): (path: string) => boolean {
  const names = attempt(() => readdirSync(folder));
  if (!names?.every(isAscii)) return () => false;
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return (path) => isAscii(path) && !lower.has(path.split("/", 1)[0]?.toLowerCase() ?? "");
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * Those of the paths that do not exist. A link on the way to one is followed if it stays in the directory; files outside
 * it cannot be written anyway.
 */
export function absentAmong(agentDir: string, paths: readonly string[]): readonly string[] {
  const isMissing = missingIn(agentDir);
  // Several paths share a folder.
  const places = new Map<string, string>();
  const placeOf = (folder: string): string => {
    const place = places.get(folder) ?? realPlaceOrSame(folder);
    places.set(folder, place);
    return place;
  };
  const real = paths.flatMap((path) => {
    const folder = join(agentDir, dirname(path));
    const isDirect = !path.includes("/") || isMissing(path);
    return pathWithin(agentDir, join(isDirect ? folder : placeOf(folder), basename(path))) ?? [];
  });
  const there = new Set(thereAmong(agentDir, real));
  return real.filter((path) => !there.has(path));
}
