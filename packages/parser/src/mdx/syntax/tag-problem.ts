import { powerAttributes } from "../../powers.ts";
import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";

const farthestTag = 20_000;
const mostCandidates = 200;
/** Of characters that are escaped together, such as those of a merge conflict. */
const longestRun = 100;
const values = `"[^"]*"|'[^']*'|\\{(?:[^{}]|\\{[^{}]*\\})*\\}`;
const withinTag = new RegExp(`^<(?:[^"'{<>]|${values})*$`);
const withinQuotes = new RegExp(`^<(?:[^"'{<>]|${values})*(?:"[^"]*|'[^']*)$`);
const typographicValue = /[“”„«‘’‚]([^“”„«»‘’‚"<>\r\n]*)[“”»‘’]/y;
/** The first value that continues after the line of its tag: usually its closing quote is missing. */
const valueOverLines = /(["'])([^"'\r\n]*?)[ \t]*\/?>[ \t]*[\r\n]/;
const unquotedValue = /[^\s"'`{}<>]+?(?=\s|\/?>|$)/y;
const address = /<((?:https?|ftp|mailto):[^\s<>]*)>/y;
const mailAddress = /<([^\s<>@/]+@[^\s<>]+)>/y;
const comment = /<!--([\s\S]*?)-->/y;

/** An error within `<…`: most often prose in which the character only means itself. */
export function tagProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const place = message.offset ?? text.length;
  const start = tagStart(text, place, /closing quote/.test(message.reason));
  return (
    commentProblem(text, start) ??
    linkProblem(text, start) ??
    typographicProblem(message, text, place) ??
    unquotedProblem(message, text, place) ??
    unclosedQuoteProblem(text, start, place) ??
    componentProblem(message, text, start) ??
    escapeProblem(text, start, place)
  );
}

/** Prose that must write `\<`. */
export function escapeProblem(text: string, start: number, place: number): SyntaxProblem {
  const run = /^<{2,}/.exec(text.slice(start, start + longestRun))?.[0];
  const fix =
    run === undefined
      ? { start, end: start, text: "\\" }
      : { start, end: start + run.length, text: "\\<".repeat(run.length) };
  const seen = run ?? text.slice(start, Math.max(place + 1, start + 2));
  return {
    rule: "mdx-tag",
    offset: start,
    message: `unexpected ${quoted(seen)}, expected a whole tag or \`\\<\``,
    hint: "write `\\<` for the character itself",
    fix,
  };
}

function tagStart(text: string, place: number, quotes: boolean): number {
  const nearest = Math.max(0, text.lastIndexOf("<", place - 1));
  return openTagBefore(text, place, quotes ? withinQuotes : withinTag) ?? nearest;
}

/** The start of the tag around an offset; undefined outside of tags. */
export function tagAround(text: string, place: number): number | undefined {
  const start = openTagBefore(text, place, withinTag);
  return start !== undefined && /^<[A-Za-z]/.test(text.slice(start, start + 2)) ? start : undefined;
}

function openTagBefore(text: string, place: number, pattern: RegExp): number | undefined {
  let candidate = place;
  for (let count = 0; count < mostCandidates && candidate > 0; count++) {
    candidate = text.lastIndexOf("<", candidate - 1);
    if (candidate === -1 || place - candidate > farthestTag) return undefined;
    if (pattern.test(text.slice(candidate, place))) return candidate;
  }
  return undefined;
}

function commentProblem(text: string, start: number): SyntaxProblem | undefined {
  comment.lastIndex = start;
  const match = comment.exec(text);
  if (match === null) return undefined;
  const inner = (match[1] ?? "").replaceAll("*/", "* /");
  const fix = { start, end: start + match[0].length, text: `{/*${inner}*/}` };
  return {
    rule: "mdx-comment",
    offset: start,
    message: `unexpected ${quoted(match[0])}, expected \`{/* … */}\``,
    hint: "write comments as `{/* … */}`",
    fix,
  };
}

function linkProblem(text: string, start: number): SyntaxProblem | undefined {
  address.lastIndex = start;
  mailAddress.lastIndex = start;
  const url = address.exec(text)?.[1];
  const mail = mailAddress.exec(text)?.[1];
  const shown = url ?? mail;
  if (shown === undefined) return undefined;
  const link = `[${shown}](${url ?? `mailto:${shown}`})`;
  const fix = { start, end: start + shown.length + 2, text: link };
  return {
    rule: "mdx-link",
    offset: start,
    message: `unexpected ${quoted(`<${shown}>`)}, expected a Markdown link`,
    hint: `write \`${link}\``,
    fix,
  };
}

function typographicProblem(message: SyntaxMessage, text: string, place: number): SyntaxProblem | undefined {
  if (!message.reason.includes("before attribute value")) return undefined;
  typographicValue.lastIndex = place;
  const [written, value] = typographicValue.exec(text) ?? [];
  if (written === undefined || value === undefined) return undefined;
  const fix = { start: place, end: place + written.length, text: `"${value}"` };
  return {
    rule: "mdx-tag",
    offset: place,
    message: `unexpected typographic quotes in ${quoted(written)}, expected straight ones`,
    hint: `write \`"${value}"\``,
    ...fixOfValue(text, place, fix),
    repair: fix,
  };
}

function unclosedQuoteProblem(text: string, start: number, place: number): SyntaxProblem | undefined {
  if (!/^<[A-Z]/.test(text.slice(start, start + 2))) return undefined;
  const tag = text.slice(start, Math.min(place + 1, start + farthestTag));
  const found = valueOverLines.exec(tag);
  const [, quote = "", value = ""] = found ?? [];
  if (found === null || !withinTag.test(tag.slice(0, found.index))) return undefined;
  const opening = start + found.index;
  const end = opening + 1 + value.length;
  const fix = { start: end, end, text: quote };
  return {
    rule: "mdx-tag",
    offset: opening,
    message: `unexpected ${quoted(`${quote}${value}`)} without a closing quote, expected \`${quote}\``,
    hint: `write \`${quote}\` at the end of the value`,
    ...fixOfValue(text, opening, fix),
    repair: fix,
  };
}

function unquotedProblem(message: SyntaxMessage, text: string, place: number): SyntaxProblem | undefined {
  if (!message.reason.includes("before attribute value")) return undefined;
  unquotedValue.lastIndex = place;
  const value = unquotedValue.exec(text)?.[0];
  if (value === undefined) return undefined;
  const fix = { start: place, end: place + value.length, text: `"${value}"` };
  return {
    rule: "mdx-tag",
    offset: place,
    message: `unexpected ${quoted(value)}, expected an attribute value in quotes`,
    hint: `write \`"${value}"\``,
    ...fixOfValue(text, place, fix),
    repair: fix,
  };
}

/** The fix of an attribute's value, unless the attribute grants power or the value may have swallowed one that does. */
function fixOfValue(text: string, start: number, fix: TextEdit): { readonly fix?: TextEdit } {
  const own = /([\w-]+)\s*=\s*$/.exec(text.slice(Math.max(0, start - 100), start))?.[1] ?? "";
  const swallowed = Array.from(text.slice(start, fix.end).matchAll(/([\w-]+)\s*=/g), ([, name = ""]) => name);
  return [own, ...swallowed].some((name) => powerAttributes.includes(name)) ? {} : { fix };
}

/** A broken tag of a component is not prose: it is reported as it is and has no fix. */
export function componentProblem(message: SyntaxMessage, text: string, start: number): SyntaxProblem | undefined {
  const name = /^<([A-Z][\w.]*)/.exec(text.slice(start, start + 100))?.[1];
  if (name === undefined) return undefined;
  return {
    rule: "mdx-tag",
    offset: message.offset ?? start,
    message: `${message.reason.charAt(0).toLowerCase()}${message.reason.slice(1)}`,
    hint: `correct the tag \`<${name} …>\` that starts before this`,
    repair: escapedTag(text, start, message.offset ?? start),
    lost: name,
  };
}

/** The whole tag as prose, up to the ">" after the place of the error or the end of the line. */
function escapedTag(text: string, start: number, place: number): TextEdit {
  const rest = text.slice(place).search(/[>\r\n]/);
  const end = rest === -1 ? text.length : place + rest;
  return { start, end, text: text.slice(start, end).replace(/[<{]/g, "\\$&") };
}
