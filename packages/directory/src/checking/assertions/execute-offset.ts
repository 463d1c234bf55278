const DECLARATIONS = [
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?=execute\b)/m,
  /^(?:export\s+)?(?:const|let|var)\s+(?=execute\b)/m,
  /\bfunction\s*\*?\s*(?=execute\b)/,
  /(?=\bexecute\b)/,
];

/** The offset of `execute` in its declaration in a tool's code; 0 if the declaration is unusual. */
export function executeOffset(code: string): number {
  const text = withoutContents(code);
  const found = DECLARATIONS.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  return found ? found.index + found[0].length : 0;
}

const COMMENT_OR_TEXT =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** The code with comments replaced by blanks and strings by letters. */
const withoutContents = (code: string): string =>
  code.replace(COMMENT_OR_TEXT, (part) => (part.startsWith("/") ? " " : "x").repeat(part.length));
