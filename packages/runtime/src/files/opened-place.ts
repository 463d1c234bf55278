import { readlinkSync } from "node:fs";

/** Linux: what is opened so is held, whatever comes of its name, and need not be readable. */
export const PATH_ONLY = 0o10000000;

/** The path of an open file or folder, whatever came of its name since: Linux has it. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** The real path of an open file or folder; undefined on a system that does not tell. */
export function openedPlace(descriptor: number): string | undefined {
  try {
    return readlinkSync(descriptorPath(descriptor));
  } catch {
    return undefined;
  }
}
