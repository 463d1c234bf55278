import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Adds a line, or several, to a file that its owner alone can read. Where that fails, makes the file's folder and tries once more;
 * then rejects. Folders above are never made, so that a removed agent directory stays removed.
 */
export async function appendLine(path: string, line: string): Promise<void> {
  try {
    await append(path, line);
  } catch {
    // A folder that stands already is no failure; what else is wrong, the second try tells.
    await mkdir(dirname(path), { mode: 0o700 }).catch(() => {});
    await append(path, line);
  }
}

const append = (path: string, line: string): Promise<void> => appendFile(path, `${line}\n`, { mode: 0o600 });
