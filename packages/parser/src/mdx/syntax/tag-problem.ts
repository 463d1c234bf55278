import { closest } from "@mdx-ai/base";
import { powerAttributes } from "../../powers.ts";
import { quoted } from "../../report.ts";
import type { TextEdit } from "../../types/diagnostic.ts";
import type { SyntaxMessage, SyntaxProblem } from "./syntax-message.ts";

const farthestTag = 20_000;
/** Of characters that are escaped together, such as those of a merge conflict. */
const longestRun = 100;
const values = `"[^"]*"|'[^']*'|\\{(?:[^{}]|\\{[^{}]*\\})*\\}`;
const withinTag = new RegExp(`^<(?:[^"'{<>]|${values})*$`);
const typographicValue = /[“”„«‘’‚]([^“”„«»‘’‚"<>\r\n]*)[“”»‘’]/y;
/** The first value that continues after the line of its tag: usually its closing quote is missing. */
const valueOverLines = /(["'])([^"'\r\n]*?)[ \t]*\/?>[ \t]*[\r\n]/;
const unquotedValue = /[^\s"'`{}<>]+?(?=\s|\/?>|$)/y;
const address = /<((?:https?|ftp|mailto):[^\s<>]*)>/y;
const mailAddress = /<([^\s<>@/]+@[^\s<>]+)>/y;
const comment = /<!--([\s\S]*?)-->/y;

/** An error within `<…`: most often prose in which the character is plain text. */
export function tagProblem(message: SyntaxMessage, text: string): SyntaxProblem {
  const offset = message.offset ?? text.length;
  const { opening: start = Math.max(0, text.lastIndexOf("<", offset - 1)) } = message;
  return (
    commentProblem(text, start) ??
    linkProblem(text, start) ??
    typographicProblem(message, text, offset) ??
    unquotedProblem(message, text, offset) ??
    unclosedQuoteProblem(text, start, offset) ??
    componentProblem(message, text, start) ??
    escapeProblem(text, start, offset)
  );
}

/** Prose that must write `\<`. */
export function escapeProblem(text: string, start: number, offset: number): SyntaxProblem {
  const run = /^<{2,}/.exec(text.slice(start, start + longestRun))?.[0];
  const fix =
    run === undefined
      ? { start, end: start, text: "\\" }
      : { start, end: start + run.length, text: "\\<".repeat(run.length) };
  const seen = run ?? text.slice(start, Math.max(offset + 1, start + 2));
  return {
    rule: "mdx-tag",
    offset: start,
    message: `unexpected ${quoted(seen)}, expected a whole tag or \`\\<\``,
    hint: "write `\\<` for the character itself",
    fix,
  };
}

function commentProblem(text: string, start: number): SyntaxProblem | undefined {
  // Of many that nothing closes, the expression would read each one to the end.
  if (!text.startsWith("<!--", start) || !text.includes("-->", start)) return undefined;
  comment.lastIndex = start;
  const match = comment.exec(text);
  if (match === null) return undefined;
  const inner = (match[1] ?? "").replaceAll("*/", "* /");
  const end = start + match[0].length;
  const lineStart = Math.max(text.lastIndexOf("\n", start - 1), text.lastIndexOf("\r", start - 1)) + 1;
  const isOverBlankLine = /\n[ \t]*\n/.test(inner.replace(/\r\n?/g, "\n"));
  // Markdown ends a paragraph at the blank line, so that this is no comment to a reader either.
  if (isOverBlankLine && /[^\s>*+\-\d.)]/.test(text.slice(lineStart, start))) return undefined;
  // An expression over a blank line is one only if nothing follows it on its last line.
  const isBeforeText = start === lineStart && /^[ \t]*[^ \t\r\n]/.test(text.slice(end, end + longestRun));
  const lineEnd = isOverBlankLine && isBeforeText ? "\n" : "";
  const fix = { start, end, text: `{/*${inner}*/}${lineEnd}` };
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
  const link = `[${shown.replace(/[\\`*_[\]{}~&]/g, "\\$&")}](${destination(url ?? `mailto:${shown}`)})`;
  const fix = { start, end: start + shown.length + 2, text: link };
  return {
    rule: "mdx-link",
    offset: start,
    message: `unexpected ${quoted(`<${shown}>`)}, expected a Markdown link`,
    hint: `write \`${link}\``,
    fix,
  };
}

/** An address as the destination of a link. */
function destination(address: string): string {
  const escaped = address.replace(/[\\&]/g, "\\$&");
  return /[()]/.test(escaped) ? `<${escaped}>` : escaped;
}

function typographicProblem(message: SyntaxMessage, text: string, offset: number): SyntaxProblem | undefined {
  if (!message.reason.includes("before attribute value")) return undefined;
  typographicValue.lastIndex = offset;
  const [written, value] = typographicValue.exec(text) ?? [];
  if (written === undefined || value === undefined) return undefined;
  const fix = { start: offset, end: offset + written.length, text: `"${value}"` };
  return {
    rule: "mdx-tag",
    offset,
    message: `unexpected typographic quotes in ${quoted(written)}, expected straight ones`,
    hint: `write \`"${value}"\``,
    ...fixesOfValue(text, offset, fix),
  };
}

function unclosedQuoteProblem(text: string, start: number, offset: number): SyntaxProblem | undefined {
  if (!/^<[A-Z]/.test(text.slice(start, start + 2))) return undefined;
  const tag = text.slice(start, Math.min(offset + 1, start + farthestTag));
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
    ...fixesOfValue(text, opening, fix),
  };
}

function unquotedProblem(message: SyntaxMessage, text: string, offset: number): SyntaxProblem | undefined {
  if (!message.reason.includes("before attribute value")) return undefined;
  unquotedValue.lastIndex = offset;
  const value = unquotedValue.exec(text)?.[0];
  if (value === undefined) return undefined;
  const fix = { start: offset, end: offset + value.length, text: `"${value}"` };
  return {
    rule: "mdx-tag",
    offset,
    message: `unexpected ${quoted(value)}, expected an attribute value in quotes`,
    hint: `write \`"${value}"\``,
    ...fixesOfValue(text, offset, fix),
  };
}

/** The repair of an attribute's value; also the fix, unless the attribute grants power or the value may have swallowed one that does. */
function fixesOfValue(text: string, start: number, repair: TextEdit): Pick<SyntaxProblem, "fix" | "repair"> {
  const own = /([\w-]+)\s*=\s*$/.exec(text.slice(Math.max(0, start - 100), start))?.[1] ?? "";
  const swallowed = Array.from(text.slice(start, repair.end).matchAll(/([\w-]+)\s*=/g), ([, name = ""]) => name);
  return [own, ...swallowed].some((name) => powerAttributes.includes(name)) ? { repair } : { fix: repair, repair };
}

/** A broken tag of a component is not prose: it is reported as it is and has no fix. */
export function componentProblem(message: SyntaxMessage, text: string, start: number): SyntaxProblem | undefined {
  const name = /^<([A-Z][\w.]*)/.exec(text.slice(start, start + 100))?.[1];
  if (name === undefined || isTypeArgument(text, start) || !isKnownComponent(name, text)) return undefined;
  return {
    rule: "mdx-tag",
    offset: message.offset ?? start,
    message: `${message.reason.charAt(0).toLowerCase()}${message.reason.slice(1)}`,
    hint: `correct the tag \`<${name} …>\` that starts before this`,
    repair: escapedTag(text, start, message.offset ?? start),
    lost: name,
  };
}

/** Whether a tag with a capital follows a word, as the argument of a type does: `Promise<Item>`. */
export function isTypeArgument(text: string, start: number): boolean {
  return /^[\w$]<[A-Z]/.test(text.slice(Math.max(0, start - 1), start + 2));
}

/** Whether a name is that of an own element, or may be one that the file imports or exports. */
function isKnownComponent(name: string, text: string): boolean {
  const root = name.split(".")[0] ?? name;
  if (closest(root, ["Tool", "Param", "Example"]) !== undefined) return true;
  const statements = `import\\s[^;"']*?\\b${root}\\b|export\\s+(?:(?:default\\s+)?(?:async|class|const|function|let|var)\\b|\\{)[^;]*?\\b${root}\\b`;
  return new RegExp(`^(?:${statements})`, "m").test(text);
}

/** The whole tag as prose, up to the ">" after the error or the end of the line. */
function escapedTag(text: string, start: number, offset: number): TextEdit {
  const rest = text.slice(offset).search(/[>\r\n]/);
  const end = rest === -1 ? text.length : offset + rest;
  return { start, end, text: text.slice(start, end).replace(/[<{]/g, "\\$&") };
}
