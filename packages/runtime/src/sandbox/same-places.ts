import { closeSync, constants, openSync } from "node:fs";
import { openedIdentity } from "../files/file-identity.ts";
import { openedPlace, PATH_ONLY } from "../files/opened-place.ts";

/** Runs a command where each place is the file that it should be: `PLACE DEVICE:INODE … -- COMMAND`. */
const CHECK = `while [ "$1" != -- ]; do
  if [ "$(stat -c %d:%i "$1")" != "$2" ]; then echo "$1 was replaced while a sandbox was made" >&2; exit 1; fi
  shift 2
done
shift
exec "$@"`;

/** A place led elsewhere when it was to be mounted. */
class SwappedPlaceError extends Error {
  override readonly name = "SwappedPlaceError";
}

/**
 * What stands before a command in a sandbox so that it only runs where the places, absolute and real, are mounted as what
 * stands there now: bubblewrap goes by their names, in whose stead another sandbox may put a link meanwhile. Throws
 * `SwappedPlaceError`, or what the file system says.
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
