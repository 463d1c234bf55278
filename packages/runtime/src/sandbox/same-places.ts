import { closeSync, constants, openSync } from "node:fs";
import { openedIdentity, openedPlace, PATH_ONLY } from "../files/file-identity.ts";

/** Runs a command if each path is the expected file: `PATH DEVICE:INODE … -- COMMAND`. */
const CHECK = `while [ "$1" != -- ]; do
  if [ "$(stat -c %d:%i "$1")" != "$2" ]; then echo "$1 was replaced while a sandbox was made" >&2; exit 1; fi
  shift 2
done
shift
exec "$@"`;

/** A path led elsewhere when it was to be mounted. */
class SwappedPlaceError extends Error {
  override readonly name = "SwappedPlaceError";
}

/**
 * The words before a command in a sandbox that let it run only if the paths, absolute and real, are mounted from the files that
 * they name now: bubblewrap opens them by name, and another sandbox may put a link in their place meanwhile. Throws
 * `SwappedPlaceError`, or the file system's error.
 */
export function samePlaces(places: readonly string[]): string[] {
  if (places.length === 0) return [];
  return ["/bin/sh", "-c", CHECK, "sh", ...places.flatMap((place) => [place, identityOf(place)]), "--"];
}

function identityOf(place: string): string {
  const descriptor = openSync(place, PATH_ONLY | constants.O_NOFOLLOW);
  try {
    if (openedPlace(descriptor) !== place) {
      throw new SwappedPlaceError(`${place} was replaced while a sandbox was made`);
    }
    return openedIdentity(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
