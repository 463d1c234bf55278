import { FileToolError } from "@mdx-ai/permissions";

/** A pattern in the common syntax of ripgrep and of `RegExp` with the flag u. */
export interface SearchPattern {
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Whether it contains `\r`; if not, the `\r` of a Windows line end is not part of a line. */
  readonly seesReturns: boolean;
}

const MAX_LENGTH = 1_000;

/** An escape, a class, the start of a group, a repeat, or a literal brace or bracket. */
const TOKEN =
  /\\(?:[pPux]\{[^}]*\}|[\s\S]?)|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?|\(\?(?:<[=!]|P?<[^>]*>|[=!:]?)|\{\d+(?:,\d*)?\}|[{}\]\n]/gu;

/** Names the syntax that one or both engines do not support. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, "lookaround"],
  [/^\\[1-9k]/, "a backreference"],
  [/^\\n$|^\n$/, "a line end: a pattern matches within one line"],
  [/^\[.*\[:/s, "a class such as [:alpha:]"],
];

/**
 * Parses a pattern, including unneeded escapes and literal braces. Throws `FileToolError`, which names unsupported syntax; the
 * engine reports other mistakes.
 */
export function searchPattern(pattern: string, ignoresCase: boolean): SearchPattern {
  if (pattern === "") throw new FileToolError("the pattern is empty");
  if (pattern.length > MAX_LENGTH) throw new FileToolError(`the pattern is longer than ${MAX_LENGTH} characters`);
  const isFlagged = pattern.startsWith("(?i)");
  const source = (isFlagged ? pattern.slice("(?i)".length) : pattern).replaceAll(TOKEN, common);
  return { source, ignoresCase: ignoresCase || isFlagged, seesReturns: /\\r|\r/.test(source) };
}

/** A token in the syntax of both engines. Throws `FileToolError`. */
function common(token: string): string {
  const what = UNSUPPORTED.find(([form]) => form.test(token))?.[1];
  if (what !== undefined) {
    throw new FileToolError(
      `the pattern uses ${what}, which this tool does not support: write it without, or search twice`,
    );
  }
  if (token.startsWith("\\")) return commonEscape(token, /[\\^$.*+?()[\]{}|]/);
  if (token.startsWith("[")) return commonClass(token);
  if (/^\(\?P?</.test(token)) return "(?:";
  return /^[{}\]]$/.test(token) ? `\\${token}` : token;
}

/** Removes an unneeded backslash, which some engines reject. */
function commonEscape(token: string, needed: RegExp): string {
  if (token.startsWith("\\x{")) return token.replace("x", "u");
  const character = token.slice(1);
  return /^[\w]|^$/.test(character) || needed.test(character) ? token : character;
}

/** A class with escaped brackets. */
function commonClass(token: string): string {
  const [, start = "", first = "", members = ""] = /^(\[\^?)(\]?)([\s\S]*)$/.exec(token) ?? [];
  const escaped = members.replaceAll(/\\[\s\S]|\[/g, (member) =>
    member === "[" ? "\\[" : commonEscape(member, /[\\^\-[\]]/),
  );
  return `${start}${first === "" ? "" : "\\]"}${escaped}`;
}

/** The error for a pattern that an engine cannot parse. */
export const patternError = (reason: string, cause?: unknown): FileToolError =>
  new FileToolError(`the pattern is not a regular expression that this tool knows: ${reason}`, { cause });
