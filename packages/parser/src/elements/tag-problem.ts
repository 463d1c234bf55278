import { powerAttributes } from "../powers.ts";
import { type Problem, quoted } from "../report.ts";
import type { TextEdit } from "../types/diagnostic.ts";

/** What a construct of JSX says of a tag, with offsets of the text. */
export interface TagMessage {
  readonly reason: string;
  /** Of the tag's `<`. */
  readonly start: number;
  /** Of the mistake. */
  readonly offset: number;
}

const MAX_TAG = 20_000;
const values = `"[^"]*"|'[^']*'|\\{(?:[^{}]|\\{[^{}]*\\})*\\}`;
const withinTag = new RegExp(`^<(?:[^"'{<>]|${values})*$`);
/** A tag up to the opening quote of a value; the attributes before it are whole. */
const beforeValue = new RegExp(
  `^<[\\w.]+(?:\\s+[\\w-]+(?:\\s*=\\s*(?:${values}))?(?=[\\s/>]))*\\s+([\\w-]+)\\s*=\\s*(["'])`,
);
const typographicValue = /[“”„«‘’‚]([^“”„«»‘’‚"<>\r\n]*)[“”»‘’]/y;
/** The first value that continues after the line of its tag: usually its closing quote is missing. */
const valueOverLines = /(["'])([^"'\r\n]*?)[ \t]*\/?>[ \t]*[\r\n]/;
const unquotedValue = /[^\s"'`{}<>]+?(?=\s|\/?>|$)/y;

/** A mistake within a tag. */
export function tagProblem(message: TagMessage, text: string): Problem {
  const found =
    typographicProblem(message, text) ??
    unquotedProblem(message, text) ??
    innerQuoteProblem(message, text) ??
    unclosedQuoteProblem(message, text);
  if (found !== undefined) return found;
  const { reason, start, offset } = message;
  const name = /^<\/?([\w.]*)/.exec(text.slice(start, start + 100))?.[1] ?? "";
  return {
    rule: "element-tag",
    offset: Math.min(offset, text.length),
    message: `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`,
    hint: `correct the tag \`<${name} …>\` that starts before this`,
  };
}

const isBeforeValue = ({ reason }: TagMessage): boolean => reason.includes("before attribute value");

function typographicProblem(message: TagMessage, text: string): Problem | undefined {
  const { offset } = message;
  typographicValue.lastIndex = offset;
  const [written, value] = isBeforeValue(message) ? (typographicValue.exec(text) ?? []) : [];
  if (written === undefined || value === undefined) return undefined;
  return {
    rule: "element-tag",
    offset,
    message: `unexpected typographic quotes in ${quoted(written)}, expected straight ones`,
    hint: `write \`"${value}"\``,
    ...safeFix(text, offset, { start: offset, end: offset + written.length, text: `"${value}"` }),
  };
}

function unquotedProblem(message: TagMessage, text: string): Problem | undefined {
  const { offset } = message;
  unquotedValue.lastIndex = offset;
  const value = isBeforeValue(message) ? unquotedValue.exec(text)?.[0] : undefined;
  if (value === undefined) return undefined;
  return {
    rule: "element-tag",
    offset,
    message: `unexpected ${quoted(value)}, expected an attribute value in quotes`,
    hint: `write \`"${value}"\``,
    ...safeFix(text, offset, { start: offset, end: offset + value.length, text: `"${value}"` }),
  };
}

/** A value that its own quotes end too early, as in `description="say "hi""`. */
function innerQuoteProblem({ start, offset }: TagMessage, text: string): Problem | undefined {
  const [before = "", name = "", quote = ""] = beforeValue.exec(text.slice(start, start + MAX_TAG)) ?? [];
  const opening = start + before.length - 1;
  const early = text.indexOf(quote, opening + 1);
  if (before === "" || early === -1 || early > offset || /[\s/>,]/.test(text.charAt(early + 1))) return undefined;
  // After `="`, the quote before is not closed; one over lines is reported as such.
  if (/=\s*$|[\r\n]/.test(text.slice(opening, early))) return undefined;
  const rest = /^[^\r\n]*/.exec(text.slice(early + 1))?.[0] ?? "";
  const last = new RegExp(`${quote}(?=\\s+[\\w-]+\\s*=|\\s*/?>)`).exec(rest);
  if (last === null) return undefined;
  const end = early + 1 + last.index;
  const value = text.slice(opening + 1, end);
  const written = otherQuotes(value);
  return {
    rule: "element-tag",
    offset: early,
    message: `unexpected \`${quote}\` within the value of \`${name}\`, which it ends, expected other quotes around the value`,
    hint: `write \`${name}=${written}\``,
    ...safeFix(text, opening, { start: opening, end: end + 1, text: written }),
  };
}

/** A value in quotes that it does not contain, or with references in place of its own. */
function otherQuotes(value: string): string {
  if (!value.includes("'")) return `'${value}'`;
  return `"${value.replaceAll('"', "&quot;")}"`;
}

function unclosedQuoteProblem({ start, offset }: TagMessage, text: string): Problem | undefined {
  const tag = text.slice(start, Math.min(offset + 1, start + MAX_TAG));
  const found = valueOverLines.exec(tag);
  const [, quote = "", value = ""] = found ?? [];
  if (found === null || !withinTag.test(tag.slice(0, found.index))) return undefined;
  const opening = start + found.index;
  const end = opening + 1 + value.length;
  return {
    rule: "element-tag",
    offset: opening,
    message: `unexpected ${quoted(`${quote}${value}`)} without a closing quote, expected \`${quote}\``,
    hint: `write \`${quote}\` at the end of the value`,
    ...safeFix(text, opening, { start: end, end, text: quote }),
  };
}

/** A fix of an attribute's value, unless the attribute grants power or the value may have swallowed one that does. */
function safeFix(text: string, start: number, fix: TextEdit): Pick<Problem, "fix"> {
  const name = /([\w-]+)\s*=\s*$/.exec(text.slice(Math.max(0, start - 100), start))?.[1] ?? "";
  const swallowed = Array.from(text.slice(start, fix.end).matchAll(/([\w-]+)\s*=/g), ([, found = ""]) => found);
  return [name, ...swallowed].some((found) => powerAttributes.includes(found)) ? {} : { fix };
}
