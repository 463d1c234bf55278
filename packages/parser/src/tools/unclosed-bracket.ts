/** A bracket that opens a block, a call or a list of code. */
interface OpenBracket {
  readonly bracket: string;
  readonly offset: number;
  /** How far its line is indented. */
  readonly indent: number;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
  // A part of a template.
  ["${", "}"],
]);

/** Comments, texts, regular expressions after an operator, the parts of templates, brackets. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<=(?:^|[=(,:[!&|?{};+\-*%~^<>]|\breturn|\btypeof|\bcase)\s*)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/|`|[{}()[\]]/g;

/**
 * The bracket of TypeScript that is not closed, and what would close it; undefined if all are. Where a closing brace stands less deep
 * than the line of its partner, the partner is the one: people indent before they forget.
 */
export function unclosedBracket(
  code: string,
): { readonly offset: number; readonly bracket: string; readonly expected: string } | undefined {
  const open: OpenBracket[] = [];
  let suspect: OpenBracket | undefined;
  for (const { token, offset } of tokensOf(code, open)) {
    if (CLOSING.has(token)) {
      open.push({ bracket: token, offset, indent: indentAt(code, offset) });
      continue;
    }
    const last = open.pop();
    if (last === undefined || CLOSING.get(last.bracket) !== token) return undefined;
    if (isFirstOfLine(code, offset) && indentAt(code, offset) < last.indent) suspect ??= last;
  }
  const [found] = [suspect, open.at(-1)].filter((one) => one !== undefined);
  if (open.length === 0 || found === undefined) return undefined;
  return { offset: found.offset, bracket: found.bracket, expected: CLOSING.get(found.bracket) ?? "" };
}

const BRACKET = /^[{}()[\]]$/;

/**
 * The brackets of code; those in comments, texts and regular expressions are left out. `open` are the brackets that are open where the
 * generator continues: after a part of a template, its text goes on.
 */
function* tokensOf(
  code: string,
  open: readonly OpenBracket[],
): Generator<{ readonly token: string; readonly offset: number }> {
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(code); match !== null; match = tokens.exec(code)) {
    const { 0: token, index: offset } = match;
    const isPartEnd = token === "}" && open.at(-1)?.bracket === "${";
    if (BRACKET.test(token)) yield { token, offset };
    if (token !== "`" && !isPartEnd) continue;
    const end = templatePart(code, offset + 1);
    const isPart = code[end] === "$";
    if (isPart) yield { token: "${", offset: end };
    tokens.lastIndex = end + (isPart ? 2 : 1);
  }
}

/** Where the text of a template ends: at its closing backtick, at `${`, or at the end of the code. */
function templatePart(code: string, from: number): number {
  const [part = ""] = /^(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/.exec(code.slice(from)) ?? [];
  return from + part.length;
}

const lineStart = (code: string, offset: number): number => code.lastIndexOf("\n", offset - 1) + 1;

function indentAt(code: string, offset: number): number {
  const start = lineStart(code, offset);
  return /^[ \t]*/.exec(code.slice(start, offset + 1))?.[0].length ?? 0;
}

const isFirstOfLine = (code: string, offset: number): boolean =>
  code.slice(lineStart(code, offset), offset).trim() === "";
