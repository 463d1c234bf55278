import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** A link is not followed, and a pipe not waited for. */
const FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK |
  constants.O_NOCTTY;

const NEWLINE = 0x0a;

/** Opens a file to add lines to; where it is missing it is made with this mode. Rejects with what the file system says. */
export const openToAppend = (path: string, mode: number): Promise<FileHandle> => open(path, FLAGS, mode);

/** What comes before the next line of a file of so many bytes: a newline after half a line, as a crash or a full disk leaves it. */
export async function lineBreak(file: FileHandle, size: number): Promise<"\n" | ""> {
  if (size === 0) return "";
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE ? "\n" : "";
}
