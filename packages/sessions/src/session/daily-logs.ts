import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dataLayout } from "@mdx-ai/base";
import { readPrivateFile, refuseLinks, replaceFileSync } from "@mdx-ai/base/disk";

/** A line of `logs/<day>.log` about a prompt: its time, the session, the number of the prompt, and what happened. */
const PROMPT_LINE = /^(\S+) (.+?)#(\d+ .*)$/s;

/** Removes the lines of a session from the daily logs. Throws as `readPrivateFile` and `replaceFileSync` do. */
export const deleteFromDailyLogs = (dataDir: string, session: string): void =>
  changeDailyLogs(dataDir, session, () => undefined);

/** Puts another name on the lines of a session in the daily logs. Throws as `deleteFromDailyLogs` does. */
export const renameInDailyLogs = (dataDir: string, from: string, to: string): void =>
  changeDailyLogs(dataDir, from, ([, time, , rest]) => `${time} ${to}#${rest}`);

/** Replaces each line of a session by a changed one, or by nothing. A file without such a line is not written. */
function changeDailyLogs(
  dataDir: string,
  session: string,
  changed: (parts: RegExpExecArray) => string | undefined,
): void {
  const folder = dataLayout(dataDir).logs;
  refuseLinks([folder]);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  for (const name of readdirSync(folder).filter((file) => /^\d{4}-\d\d-\d\d\.log$/.test(file))) {
    const path = join(folder, name);
    const text = readPrivateFile(path, (descriptor) => readFileSync(descriptor, "utf8"));
    if (!text.includes(` ${session}#`)) continue;
    const lines = text.split("\n").flatMap((line) => {
      const parts = PROMPT_LINE.exec(line);
      return parts?.[2] === session ? (changed(parts) ?? []) : line;
    });
    replaceFileSync({ path, text: lines.join("\n") });
  }
}
