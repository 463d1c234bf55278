import { readlinkSync } from "node:fs";

/** Linux: keeps hold of a file or folder, whatever happens to its name. It need not be readable. */
export const PATH_ONLY = 0o10000000;

/** A path of an open file or folder that works whatever happened to its name since: Linux has it. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** The real path of an open file or folder; undefined if the system does not say. */
export function openedPlace(descriptor: number): string | undefined {
  try {
    return readlinkSync(descriptorPath(descriptor));
  } catch {
    return undefined;
  }
}
