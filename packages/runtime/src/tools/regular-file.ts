import { closeSync, constants, fstatSync, openSync, readdirSync, type Stats, statSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import { descriptorPath } from "../files/opened-place.ts";
import { FileToolError, fileError } from "./file-error.ts";
import { HOLDS_FOLDERS } from "./held-folder.ts";
import { checkOpened, type PermittedPlace } from "./permitted-place.ts";

const LISTED = 50;

/** An open regular file. */
export interface RegularFile {
  readonly descriptor: number;
  /** Bytes, as the file system tells; 0 also for the files of /proc. */
  readonly size: number;
}

/**
 * Opens a regular file for reading, where it is the one that was permitted; never waits for the other end of a pipe.
 * Throws `FileToolError`: whatever else is at the path is named, a directory with what it holds.
 */
export function openRegularFile(place: PermittedPlace): RegularFile {
  const descriptor = openWithoutWaiting(place.path);
  try {
    checkOpened(descriptor, place);
    const stats = fstatSync(descriptor);
    if (stats.isFile()) return { descriptor, size: stats.size };
    throw new FileToolError(kindText({ ...place, descriptor }, stats));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Something that was opened, or could not be. */
type Found = PermittedPlace & { readonly descriptor?: number };

function openWithoutWaiting(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (error) {
    // A socket, or a device without a driver.
    if (errorCode(error) === "ENXIO") throw new FileToolError(kindText({ path }, statSync(path)));
    throw fileError(error, path);
  }
}

function kindText(found: Found, stats: Stats): string {
  const name = JSON.stringify(found.path);
  if (stats.isDirectory()) return `${name} is a directory, not a file. ${directoryText(listedPath(found))}`;
  if (stats.isFIFO()) return `${name} is a named pipe, not a regular file`;
  if (stats.isSocket()) return `${name} is a socket, not a regular file`;
  return `${name} is a device, not a regular file`;
}

/** Where a folder was permitted it is listed through what was opened, if the system can: its name may mean another by now. */
function listedPath({ path, permitted, descriptor }: Found): string {
  return permitted !== undefined && descriptor !== undefined && HOLDS_FOLDERS ? descriptorPath(descriptor) : path;
}

function directoryText(path: string): string {
  const names = readdirSync(path, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  if (names.length === 0) return "It is empty.";
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : "";
  return `It holds: ${names.slice(0, LISTED).join(", ")}${more}. Read one of its files, or list it with the bash tool.`;
}
