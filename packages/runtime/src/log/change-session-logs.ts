import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { refuseLinks } from "../files/check-paths.ts";
import { dataLayout } from "../layout.ts";
import { logEnding, logWithEnding } from "./session-log-name.ts";

/** Gives the logs of a session the name of another one, unless that has logs. Throws what the file system says. */
export function renameSessionLogs(dataDir: string, from: string, to: string): void {
  for (const { path, ending } of sessionLogs(dataDir, from)) {
    const target = join(dataLayout(dataDir).logs, logWithEnding(to, ending));
    if (!lstatSync(target, { throwIfNoEntry: false })) renameSync(path, target);
  }
}

/** Removes the logs of a session. Throws what the file system says. */
export function deleteSessionLogs(dataDir: string, session: string): void {
  for (const { path } of sessionLogs(dataDir, session)) rmSync(path, { force: true });
}

interface LogFile {
  /** Absolute. */
  readonly path: string;
  readonly ending: string;
}

function sessionLogs(dataDir: string, session: string): readonly LogFile[] {
  const folder = dataLayout(dataDir).logs;
  refuseLinks([folder]);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => {
    const ending = logEnding(session, name);
    return ending === undefined ? [] : [{ path: join(folder, name), ending }];
  });
}
