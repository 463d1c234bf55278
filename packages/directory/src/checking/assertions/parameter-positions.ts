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
  const found = DECLARATIONS.map((pattern) => pattern.exec(code)).find((match) => match !== null);
  if (found === null || found === undefined) return { name: 0, parameters: [] };
  const name = found.index + found[0].length;
  const open = openingOf(code, name + "execute".length);
  return { name, parameters: open === undefined ? [] : typesWithin(code, open + 1) };
}

/** The opening bracket of the parameters of a function or an arrow function. */
function openingOf(code: string, from: number): number | undefined {
  const scan = new CodeScan(code, from);
  for (let token = scan.next(); token !== undefined; token = scan.next()) {
    if (token.depth === 0 && (token.text === ";" || token.text === "{")) return undefined;
    if (token.text === "(" && isBeforeBody(code, token.offset)) return token.offset;
  }
  return undefined;
}

/** Whether the closing bracket is followed by what follows parameters, not the arguments of a call. */
function isBeforeBody(code: string, opening: number): boolean {
  const scan = new CodeScan(code, opening + 1);
  for (let token = scan.next(); token !== undefined; token = scan.next()) {
    if (token.depth < 0) return ["=>", "{", ":"].includes(scan.next()?.text ?? "");
  }
  return false;
}

function typesWithin(code: string, from: number): readonly number[] {
  const tokens = tokensWithin(code, from);
  const commas = tokens.flatMap(({ text, depth }, index) => (depth === 0 && text === "," ? [index] : []));
  const starts = [0, ...commas.map((index) => index + 1)];
  return starts.flatMap((start, index) => offsetOf(tokens.slice(start, commas[index])) ?? []);
}

/** Up to the bracket that ends the parameters. */
function tokensWithin(code: string, from: number): readonly Token[] {
  const scan = new CodeScan(code, from);
  const tokens: Token[] = [];
  for (let token = scan.next(); token !== undefined && token.depth >= 0; token = scan.next()) tokens.push(token);
  return tokens;
}

/** The offset of the type of a parameter, else of the parameter. */
function offsetOf(parameter: readonly Token[]): number | undefined {
  const ends = parameter.findIndex(({ text, depth }) => depth === 0 && (text === ":" || text === "="));
  const type = parameter[ends]?.text === ":" ? parameter[ends + 1] : undefined;
  return (type ?? parameter[0])?.offset;
}

interface Token {
  readonly text: string;
  readonly offset: number;
  /** Open brackets before it; for a closing one, after it. */
  readonly depth: number;
}

/** Reads words, strings and punctuation, and skips comments. */
class CodeScan {
  readonly #skipped = /\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
  readonly #token = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|=>|[\p{ID_Continue}$]+|[\s\S]/uy;
  readonly #code: string;
  #offset: number;
  #depth = 0;

  constructor(code: string, offset: number) {
    this.#code = code;
    this.#offset = offset;
  }

  next(): Token | undefined {
    while (this.#match(this.#skipped) !== undefined);
    const offset = this.#offset;
    const text = this.#match(this.#token);
    if (text === undefined) return undefined;
    if (/^[)\]}>]$/.test(text)) this.#depth -= 1;
    const depth = this.#depth;
    if (/^[([{<]$/.test(text)) this.#depth += 1;
    return { text, offset, depth };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const [text] = pattern.exec(this.#code) ?? [];
    if (text === undefined) return undefined;
    this.#offset += text.length;
    return text;
  }
}
