import { boundedSearch } from "@mdx-ai/parser/bounded-search";
import { attempt } from "../../attempt.ts";
import { ignorePattern } from "./ignore-glob.ts";

/** One rule of a file of rules. Paths are `bytesOf` those relative to the file's folder; a folder's ends with a "/". */
export interface IgnoreRule {
  /** Whether it keeps what it matches. */
  readonly isKept: boolean;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads a file of rules in the format of `.gitignore`, as ripgrep does: braces are alternatives, and a rule that is not valid does not
 * count. Whatever the rules are, a path is compared in time that is linear in its length.
 */
export function ignoreFile(text: string): readonly IgnoreRule[] {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  const broken = lines.findIndex((line) => line.includes("\uFFFD"));
  // ripgrep reads no further than to what is not UTF-8.
  return lines.slice(0, broken === -1 ? lines.length : broken).flatMap((line) => attempt(() => ruleOf(line)) ?? []);
}

/** Undefined if it is not about anything. Throws an error if it is not valid. */
function ruleOf(line: string): IgnoreRule | undefined {
  const written = line.endsWith("\\ ") ? line : line.trimEnd();
  if (written === "" || written.startsWith("#")) return undefined;
  const isEscaped = /^\\[!#]/.test(written);
  const isKept = written.startsWith("!");
  const rule = isEscaped || isKept ? written.slice(1) : written;
  const isForFolders = rule.endsWith("/");
  const isFromHere = rule.startsWith("/");
  const test = testOf(bytesOf(rule.slice(isFromHere ? 1 : 0).replace(/\\?\/$/, "")), isFromHere);
  return { isKept, matches: (path) => (path.endsWith("/") ? test(path.slice(0, -1)) : !isForFolders && test(path)) };
}

/** Throws an error if the glob is not valid. */
function testOf(glob: string, isFromHere: boolean): (path: string) => boolean {
  // What is in a folder, but not the folder itself.
  if (isFromHere || glob.includes("/")) return textTest(glob.endsWith("/**") ? `${glob}/*` : glob);
  // "!" alone keeps everything.
  if (glob === "**" || glob === "") return () => true;
  // A name in any folder; a set may match a slash.
  if (glob.includes("[")) return textTest(`**/${glob}`);
  const test = textTest(glob);
  return (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

function textTest(glob: string): (path: string) => boolean {
  const pattern = ignorePattern(glob);
  const regular = new RegExp(pattern);
  if (isQuick(glob)) return (path) => regular.test(path);
  const search = boundedSearch(pattern, Number.POSITIVE_INFINITY);
  return (path) => search(path) === true;
}

/** With more stars, a pattern that backtracks could take hours for one path. */
const isQuick = (glob: string): boolean =>
  (glob.match(/\*+/g)?.length ?? 0) < 3 && (glob.match(/\*\*/g)?.length ?? 0) < 2;

/** A text with one character for each byte, as rules and paths are compared. */
export const bytesOf = (text: string): string =>
  /^[\0-\x7F]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
