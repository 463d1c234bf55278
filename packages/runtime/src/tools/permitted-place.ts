import { fileIdentity, openedIdentity } from "../files/file-identity.ts";
import { openedPlace } from "../files/opened-place.ts";
import { realPlace } from "../files/real-place.ts";
import type { ToolTouch } from "../types/permission.ts";
import { FileToolError, fileError } from "./file-error.ts";

/** A path as it was asked for, and where it was permitted to lead: absent where nobody was asked. */
export interface PermittedPlace {
  /** Absolute. */
  readonly path: string;
  /** Absolute, without symbolic links. */
  readonly permitted?: string | undefined;
}

/** Where an absolute path leads now: what a user is asked about. Throws `FileToolError` where that cannot be told. */
export function placeToPermit(path: string): string {
  try {
    return realPlace(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The place that a tool was permitted to touch in this way. */
export const permittedBy = (touch: ToolTouch | undefined, kind: "read" | "write"): string | undefined =>
  touch?.kind === kind ? touch.path : undefined;

/** A path leads elsewhere than it did when it was permitted. */
export const changedPlace = (path: string): FileToolError =>
  new FileToolError(`${JSON.stringify(path)} changed between the check and the use, and was left alone`);

/** Makes sure that what was opened is what was permitted. Throws `FileToolError`. */
export function checkOpened(descriptor: number, { path, permitted }: PermittedPlace): void {
  if (permitted !== undefined && !isAt(descriptor, permitted)) throw changedPlace(path);
}

function isAt(descriptor: number, place: string): boolean {
  const opened = openedPlace(descriptor);
  return opened === undefined ? isStillAt(descriptor, place) : opened === place;
}

/** Weaker: the folders on the way may be others by the time they are looked at. */
function isStillAt(descriptor: number, place: string): boolean {
  try {
    return realPlace(place) === place && openedIdentity(descriptor) === fileIdentity(place);
  } catch {
    return false;
  }
}
