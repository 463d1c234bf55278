import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import { readBytes } from "../files/read-whole-file.ts";

/** A link is not followed, and a pipe not waited for. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * The text of a small file of a session; undefined if there is none, empty if it is longer than `limit` bytes or something
 * else has its name, such as a link. Throws what the file system says.
 */
export function readSmallFile(path: string, limit: number): string | undefined {
  const descriptor = opened(path);
  if (typeof descriptor !== "number") return descriptor;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > limit) return "";
    return readBytes(descriptor, 0, stats.size).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

function opened(path: string): number | "" | undefined {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "ELOOP") return "";
    throw error;
  }
}
