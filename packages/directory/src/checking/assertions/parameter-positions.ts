/** Offsets in a tool's code: of the name `execute`, and of its parameters' types or, without a type, of the parameters. */
export interface ParameterPositions {
  readonly name: number;
  /** One for each parameter that could be found. */
  readonly parameters: readonly number[];
}

const DECLARATIONS = [
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(?=execute\b)/m,
  /^(?:export\s+)?(?:const|let|var)\s+(?=execute\b)/m,
  /\bfunction\s*\*?\s*(?=execute\b)/,
  /(?=\bexecute\b)/,
];

/** Finds the declaration of `execute`. If it is written in an unusual way, the offsets are those of the name or the start. */
export function parameterPositions(code: string): ParameterPositions {
  const text = withoutContents(code);
  const found = DECLARATIONS.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (found === null || found === undefined) return { name: 0, parameters: [] };
  const name = found.index + found[0].length;
  const opening = openingOf(text, name + "execute".length);
  return { name, parameters: opening === undefined ? [] : typesWithin(text, opening + 1) };
}

const COMMENT_OR_TEXT =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** The code with comments as blanks, texts as letters and arrows as one character, so that each bracket is a bracket. */
const withoutContents = (code: string): string =>
  code
    .replace(COMMENT_OR_TEXT, (part) => (part.startsWith("/") ? " " : "x").repeat(part.length))
    .replaceAll("=>", "⇒ ");

/** The opening bracket of the parameters of a function or an arrow function. */
function openingOf(text: string, from: number): number | undefined {
  for (const { character, offset, depth } of scan(text, from)) {
    if (depth === 0 && ";{".includes(character)) return undefined;
    if (character === "(" && isBeforeBody(text, closingOf(text, offset + 1))) return offset;
  }
  return undefined;
}

/** Whether what follows a bracket follows parameters, not the arguments of a call. */
const isBeforeBody = (text: string, closing: number): boolean => /^\s*[⇒{:]/.test(text.slice(closing + 1));

function typesWithin(text: string, from: number): readonly number[] {
  const inside = text.slice(0, closingOf(text, from));
  const outer = [...scan(inside, from)].filter(({ depth, character }) => depth === 0 && character.trim() !== "");
  const commas = outer.filter(({ character }) => character === ",");
  return [from, ...commas.map(({ offset }) => offset + 1)].flatMap((start) => typeFrom(start, outer));
}

/** The offset of the type of a parameter, else of the parameter. */
function typeFrom(start: number, outer: readonly Scanned[]): readonly number[] {
  const separator = outer.find(({ character, offset }) => offset >= start && ":=,".includes(character));
  const from = separator?.character === ":" ? separator.offset : start - 1;
  const first = outer.find(({ offset }) => offset > from);
  return first === undefined ? [] : [first.offset];
}

/** The bracket that closes the one before an offset; the end of the text if it is missing. */
function closingOf(text: string, from: number): number {
  for (const { offset, depth } of scan(text, from)) if (depth < 0) return offset;
  return text.length;
}

interface Scanned {
  readonly character: string;
  readonly offset: number;
  /** Open brackets before it; for a closing one, after it. */
  readonly depth: number;
}

function* scan(text: string, from: number): Generator<Scanned> {
  let depth = 0;
  for (let offset = from; offset < text.length; offset++) {
    const character = text.charAt(offset);
    if (")]}>".includes(character)) depth -= 1;
    yield { character, offset, depth };
    if ("([{<".includes(character)) depth += 1;
  }
}
