import { rmSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile, replaceFileSync } from "@mdx-ai/base/disk";
import { sessionFolder } from "./session-folder.ts";
import { titleLine } from "./session-summary.ts";

/** The file in a session's folder that holds the title that a user gave it. No model receives it. */
const TITLE_FILE = "title";

/** Bytes; no title is as long. */
const MAX_LENGTH = 4096;

/** The title that a user gave a session; undefined if there is none. Foreign text of one line. Never throws. */
export function givenTitle(folder: string): string | undefined {
  const title = titleLine(readSmallFile(join(folder, TITLE_FILE), MAX_LENGTH) ?? "");
  return title === "" ? undefined : title;
}

/**
 * Gives a session a title and returns it as it is kept: one line of at most 80 characters. An empty one takes it back: the session
 * is then called by its first prompt. Works while another process uses the session. Throws `SessionIdError`,
 * `UnknownSessionError`, `JournalError` at a symbolic link, or what the file system says; the title then stays as it was.
 */
export function titleSession(dataDir: string, id: string, text: string): string {
  const folder = sessionFolder(dataDir, id);
  const title = titleLine(text);
  keepTitle(folder, title);
  return title;
}

/** The same for a folder that becomes a session, and a title of one line. Throws what the file system says. */
export function keepTitle(folder: string, title: string): void {
  const path = join(folder, TITLE_FILE);
  if (title === "") rmSync(path, { force: true });
  else replaceFileSync({ path, text: `${title}\n` });
}
