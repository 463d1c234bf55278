import { rmSync } from "node:fs";
import { join } from "node:path";
import { readSmallFile, replaceFileSync } from "@mdx-ai/base/disk";
import { sessionFolder } from "./session-folder.ts";
import { titleLine } from "./session-summary.ts";

/** The file in a session's folder with the user's title. No model receives it. */
const TITLE_FILE = "title";

/** Bytes; longer than any title. */
const MAX_LENGTH = 4096;

/** The user's title of a session; undefined if there is none. Untrusted text of one line. Never throws. */
export function givenTitle(folder: string): string | undefined {
  const title = titleLine(readSmallFile(join(folder, TITLE_FILE), MAX_LENGTH) ?? "");
  return title === "" ? undefined : title;
}

/**
 * Sets the title of a session and returns it as stored: one line of at most 80 characters. An empty title removes it: the session
 * is then shown with its first prompt. Works while another process uses the session. Throws `SessionIdError`,
 * `UnknownSessionError`, `JournalError` at a symbolic link, or the file system's error; the title is then unchanged.
 */
export function titleSession(dataDir: string, id: string, text: string): string {
  const folder = sessionFolder(dataDir, id);
  const title = titleLine(text);
  keepTitle(folder, title);
  return title;
}

/** The same for the folder of a new session and a title of one line. Throws the file system's error. */
export function keepTitle(folder: string, title: string): void {
  const path = join(folder, TITLE_FILE);
  if (title === "") rmSync(path, { force: true });
  else replaceFileSync({ path, text: `${title}\n` });
}
