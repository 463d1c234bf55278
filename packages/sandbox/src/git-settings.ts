import { textUpTo } from "@mdx-ai/base/disk";

/** Bytes of the longest file of settings that is read. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file of settings; empty if it cannot be read. Never waits for the other end of a pipe. */
export const settingsText = (path: string): string => textUpTo(path, MAX_BYTES) ?? "";

/** The folder of git that a `.git` file leads to, as it is written there. */
export const folderNamedBy = (text: string): string | undefined => /^gitdir: (.+)$/m.exec(text)?.[1];

/** A setting may follow its section in one line. */
const LINE = /^\s*(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]\s*)?(?<key>[\w-]+)\s*=\s*(?<value>[\s\S]*)/;

/** The values of the settings with such a name in a file of git's settings, in all sections. */
export const valuesOf = (text: string, name: RegExp): readonly string[] =>
  text
    .replaceAll(/\\\r?\n/g, "")
    .split("\n")
    .flatMap((line) => {
      const { key = "", value = "" } = LINE.exec(line)?.groups ?? {};
      return name.test(key) ? withoutQuotes(value) : [];
    });

/** A value as git reads it: without its quotes and the comment behind it. */
function withoutQuotes(value: string): string {
  const [whole] = /^(?:[^"#;\\]|\\.|"(?:[^"\\]|\\.)*"?)*/.exec(value) ?? [""];
  return whole.trim().replaceAll(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? "");
}
