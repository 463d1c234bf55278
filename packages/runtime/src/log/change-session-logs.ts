import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { refuseLinks } from "../files/refuse-links.ts";
import { logEnding, logWithEnding } from "./session-log-name.ts";

/** Gives the logs of a session the name of another one, which has none. Throws what the file system says. */
export function renameSessionLogs(agentDir: string, from: string, to: string): void {
  for (const { path, ending } of sessionLogs(agentDir, from)) {
    const target = join(agentDir, "logs", logWithEnding(to, ending));
    if (!lstatSync(target, { throwIfNoEntry: false })) renameSync(path, target);
  }
}

/** Removes the logs of a session. Throws what the file system says. */
export function deleteSessionLogs(agentDir: string, session: string): void {
  for (const { path } of sessionLogs(agentDir, session)) rmSync(path, { force: true });
}

interface LogFile {
  /** Absolute. */
  readonly path: string;
  readonly ending: string;
}

function sessionLogs(agentDir: string, session: string): readonly LogFile[] {
  const folder = join(agentDir, "logs");
  refuseLinks([folder]);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => {
    const ending = logEnding(session, name);
    return ending === undefined ? [] : [{ path: join(folder, name), ending }];
  });
}
