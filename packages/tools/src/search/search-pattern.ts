import { FileToolError } from "@mdx-ai/permissions";

/** A pattern in the words that ripgrep and `RegExp` with the flag u have in common. */
export interface SearchPattern {
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Whether it is about `\r`: if not, that of a Windows line end is no part of a line. */
  readonly seesReturns: boolean;
}

const MAX_LENGTH = 1_000;

/** An escape, a class, the beginning of a group, a repeat, or a brace or bracket of its own. */
const TOKEN =
  /\\(?:[pPux]\{[^}]*\}|[\s\S]?)|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?|\(\?(?:<[=!]|P?<[^>]*>|[=!:]?)|\{\d+(?:,\d*)?\}|[{}\]\n]/gu;

/** Says what neither engine, or one of them alone, can search for. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, "lookaround"],
  [/^\\[1-9k]/, "a backreference"],
  [/^\\n$|^\n$/, "a line end: a pattern matches within one line"],
  [/^\[.*\[:/s, "a class such as [:alpha:]"],
];

/**
 * Reads a pattern, also with escapes that are not needed and with braces that count nothing. Throws `FileToolError`, which names what is
 * not supported; other mistakes are found by the engine.
 */
export function searchPattern(pattern: string, ignoresCase: boolean): SearchPattern {
  if (pattern === "") throw new FileToolError("the pattern is empty");
  if (pattern.length > MAX_LENGTH) throw new FileToolError(`the pattern is longer than ${MAX_LENGTH} characters`);
  const isFlagged = pattern.startsWith("(?i)");
  const source = (isFlagged ? pattern.slice("(?i)".length) : pattern).replaceAll(TOKEN, common);
  return { source, ignoresCase: ignoresCase || isFlagged, seesReturns: /\\r|\r/.test(source) };
}

/** A token as both engines know it. Throws `FileToolError`. */
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

/** Without a backslash that is not needed, which some engines refuse. */
function commonEscape(token: string, needed: RegExp): string {
  if (token.startsWith("\\x{")) return token.replace("x", "u");
  const character = token.slice(1);
  return /^[\w]|^$/.test(character) || needed.test(character) ? token : character;
}

/** A class in which brackets are escaped. */
function commonClass(token: string): string {
  const [, start = "", first = "", members = ""] = /^(\[\^?)(\]?)([\s\S]*)$/.exec(token) ?? [];
  const escaped = members.replaceAll(/\\[\s\S]|\[/g, (member) =>
    member === "[" ? "\\[" : commonEscape(member, /[\\^\-[\]]/),
  );
  return `${start}${first === "" ? "" : "\\]"}${escaped}`;
}

/** An engine could not read a pattern. */
export const patternError = (reason: string, cause?: unknown): FileToolError =>
  new FileToolError(`the pattern is not a regular expression that this tool knows: ${reason}`, { cause });
