type FunctionName = "execute" | "gate" | "done";

const declarations = (name: FunctionName): readonly RegExp[] => [
  new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?function\\s*\\*?\\s*(?=${name}\\b)`, "m"),
  new RegExp(`^(?:export\\s+)?(?:const|let|var)\\s+(?=${name}\\b)`, "m"),
  new RegExp(`\\bfunction\\s*\\*?\\s*(?=${name}\\b)`),
  new RegExp(`(?=\\b${name}\\b)`),
];

/** The offset of the function's name in its declaration in a block of code; 0 if the declaration is unusual. */
export function functionOffset(code: string, name: FunctionName): number {
  const text = withoutContents(code);
  const found = declarations(name)
    .map((pattern) => pattern.exec(text))
    .find((match) => match !== null);
  return found ? found.index + found[0].length : 0;
}

const COMMENT_OR_TEXT =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** The code with comments replaced by blanks and strings by letters. */
const withoutContents = (code: string): string =>
  code.replace(COMMENT_OR_TEXT, (part) => (part.startsWith("/") ? " " : "x").repeat(part.length));
