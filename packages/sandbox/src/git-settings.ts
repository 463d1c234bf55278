import { textUpTo } from "@mdx-ai/base/disk";

/** The largest settings file that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** The text of a settings file; empty if it cannot be read. Never blocks on a pipe. */
export const settingsText = (path: string): string => textUpTo(path, MAX_BYTES) ?? "";

/** The git folder that a `.git` file names, as written there. */
export const folderNamedBy = (text: string): string | undefined => /^gitdir: (.+)$/m.exec(text)?.[1];

/** A setting may follow its section on the same line. */
const LINE = /^\s*(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]\s*)?(?<key>[\w-]+)\s*=\s*(?<value>[\s\S]*)/;

/** The values of all settings of that name in a git settings file, in any section. */
export const valuesOf = (text: string, name: RegExp): readonly string[] =>
  text
    .replaceAll(/\\\r?\n/g, "")
    .split("\n")
    .flatMap((line) => {
      const { key = "", value = "" } = LINE.exec(line)?.groups ?? {};
      return name.test(key) ? withoutQuotes(value) : [];
    });

/** A value as git reads it: without quotes and a trailing comment. */
function withoutQuotes(value: string): string {
  const [whole] = /^(?:[^"#;\\]|\\.|"(?:[^"\\]|\\.)*"?)*/.exec(value) ?? [""];
  return whole.trim().replaceAll(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? "");
}
