import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { lineBreak, openToAppend } from "../files/open-to-append.ts";

/** What stands where a log or its folder should be is a symbolic link, a pipe, a device or the like. */
class NoLogFileError extends Error {
  override readonly name = "NoLogFileError";
}

/**
 * Adds a line, or several, to a file that its owner alone can read. Where that fails, makes the file's folder and tries once more;
 * then rejects. Folders above are never made, so that a removed agent directory stays removed. Links are not followed, and pipes
 * are not waited for: both are refused.
 */
export async function appendLine(path: string, line: string): Promise<void> {
  try {
    await append(path, line);
  } catch (error) {
    if (error instanceof NoLogFileError) throw error;
    // A folder that stands already is no failure; what else is wrong, the second try tells.
    await mkdir(dirname(path), { mode: 0o700 }).catch(() => {});
    await append(path, line);
  }
}

async function append(path: string, line: string): Promise<void> {
  for (const place of [dirname(path), path]) await refuseLink(place);
  const file = await openToAppend(path, 0o600);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new NoLogFileError(`${path} is no regular file`);
    // Half a line, as a crash or a full disk leaves it, must not spoil the next one; a blank line does no harm.
    await file.appendFile(`${await lineBreak(file, stats.size)}${line}\n`);
  } finally {
    await file.close();
  }
}

/** The flags refuse a link, too, but do not name it, nor one that is the folder. What is not there is told when it is opened. */
async function refuseLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) throw new NoLogFileError(`${path} is a symbolic link, which is not followed`);
}
