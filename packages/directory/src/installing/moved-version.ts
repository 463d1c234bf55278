import type { Origin, Source } from "../sources/index.ts";

/** The name of a version, which should always lead to the same files. */
const VERSION = /^v?\d+\.\d+(?:\.\d+)?(?:[-+][\w.+-]*)?$/;

/** The version that a source names, if it leads elsewhere than before; undefined if it names none, or still leads there. */
export function movedVersion(source: Source, before: Origin, after: Origin): string | undefined {
  const name = versionIn(source);
  return name !== undefined && VERSION.test(name) && !Bun.deepEquals(before, after) ? name : undefined;
}

function versionIn(source: Source): string | undefined {
  switch (source.type) {
    case "git":
      return source.ref;
    case "npm":
      return source.range;
    case "oci":
      return source.tag;
    case "archive":
    case "folder":
      return undefined;
  }
}
