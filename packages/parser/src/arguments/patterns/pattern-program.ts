/** A step of a program that finds a pattern in a text; numbers are positions in the program. */
type Instruction =
  | { readonly type: "character"; readonly fits: (character: string) => boolean }
  | { readonly type: "split"; readonly to: readonly number[] }
  | { readonly type: "edge"; readonly edge: "^" | "$" | "\\b" | "\\B" }
  | { readonly type: "look"; readonly program: Program; readonly isNegative: boolean }
  | { readonly type: "found" };

export type Program = readonly Instruction[];

/** A pattern uses what a program cannot express, or would become too long. */
export class UnsupportedPatternError extends Error {
  override readonly name = "UnsupportedPatternError";
}

const MOST_INSTRUCTIONS = 5000;

const TOKEN =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:[:=!]|<(?![=!])[^>]*>)|\(\?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})$/;

/** The tokens of a valid pattern with the flag u, such as `(?:`, `[a-z]`, `\d`, `+` and `{2,}`. Linear in its length. */
export const patternTokens = (pattern: string): readonly string[] => pattern.match(TOKEN) ?? [];

/** The program of a valid pattern with these flags. Throws `UnsupportedPatternError` at backreferences, lookbehind and modifiers. */
export function patternProgram(pattern: string, flags: "u" | "iu" = "u"): Program {
  const reader = new PatternReader(patternTokens(pattern), flags);
  return [...reader.alternatives(0), { type: "found" }];
}

class PatternReader {
  readonly #tokens: readonly string[];
  readonly #flags: string;
  #next = 0;
  #work = 0;

  constructor(tokens: readonly string[], flags: string) {
    this.#tokens = tokens;
    this.#flags = flags;
  }

  /** What is left up to the end of a group, as instructions from a position on. */
  alternatives(at: number): readonly Instruction[] {
    this.#count();
    const first = this.#sequence(at + 1);
    if (this.#tokens[this.#next] !== "|") return shifted(first, -1);
    this.#next++;
    const second = this.alternatives(at + 2 + first.length);
    const end = at + 2 + first.length + second.length;
    return limited([split(at + 1, at + 2 + first.length), ...first, split(end), ...second]);
  }

  #sequence(at: number): readonly Instruction[] {
    const parts: Instruction[] = [];
    for (let token = this.#tokens[this.#next]; token !== undefined && token !== "|" && token !== ")"; ) {
      const start = this.#next;
      const atom = this.#atom(at + parts.length);
      const repeat = repeatOf(this.#tokens[this.#next]);
      if (repeat === undefined) parts.push(...atom);
      else {
        const end = ++this.#next;
        const again = (position: number): readonly Instruction[] => {
          this.#next = start;
          return this.#atom(position);
        };
        parts.push(...repeated(again, at + parts.length, repeat));
        this.#next = this.#tokens[end] === "?" ? end + 1 : end;
      }
      limited(parts);
      token = this.#tokens[this.#next];
    }
    return parts;
  }

  /** Also for tokens that become no instruction, and for groups within groups. */
  #count(): void {
    if (++this.#work > MOST_INSTRUCTIONS) throw new UnsupportedPatternError("too long");
  }

  #atom(at: number): readonly Instruction[] {
    this.#count();
    const token = this.#tokens[this.#next++] ?? "";
    if (token === "(" || token === "(?:" || /^\(\?<.*>$/u.test(token)) return this.#group(at);
    if (token === "(?=" || token === "(?!") {
      const program: Program = [...this.#group(0), { type: "found" }];
      return [{ type: "look", program, isNegative: token === "(?!" }];
    }
    if (token === "^" || token === "$" || token === "\\b" || token === "\\B") return [{ type: "edge", edge: token }];
    if (token === "(?" || /^\\[1-9k]/.test(token)) throw new UnsupportedPatternError(token);
    return [{ type: "character", fits: characterTest(token, this.#flags) }];
  }

  #group(at: number): readonly Instruction[] {
    const inner = this.alternatives(at);
    this.#next++;
    return inner;
  }
}

interface Repeat {
  readonly least: number;
  readonly most: number;
}

function repeatOf(token: string | undefined): Repeat | undefined {
  const match = QUANTIFIER.exec(token ?? "");
  if (match === null) return undefined;
  if (token === "?") return { least: 0, most: 1 };
  if (token === "*" || token === "+") return { least: token === "+" ? 1 : 0, most: Number.POSITIVE_INFINITY };
  const [, least, more, most] = match;
  return {
    least: Number(least),
    most: more === undefined ? Number(least) : most ? Number(most) : Number.POSITIVE_INFINITY,
  };
}

function repeated(
  atom: (at: number) => readonly Instruction[],
  start: number,
  { least, most }: Repeat,
): readonly Instruction[] {
  const parts: Instruction[] = [];
  const here = (): number => start + parts.length;
  for (let count = 0; count < least; count++) parts.push(...limitedSum(parts, atom(here())));
  if (most === Number.POSITIVE_INFINITY) {
    const loop = here();
    const inner = atom(loop + 1);
    return [...parts, split(loop + 1, loop + inner.length + 2), ...inner, split(loop)];
  }
  for (let count = least; count < most; count++) {
    const inner = atom(here() + 1);
    // Each further one is optional, whether or not those before it were taken: the same texts fit.
    parts.push(split(here() + 1, here() + 1 + inner.length), ...limitedSum(parts, inner));
  }
  return parts;
}

const split = (...to: readonly number[]): Instruction => ({ type: "split", to });

/** The same instructions at other positions. */
const shifted = (instructions: readonly Instruction[], by: number): readonly Instruction[] =>
  instructions.map((one) => (one.type === "split" ? split(...one.to.map((position) => position + by)) : one));

const limitedSum = (before: readonly Instruction[], more: readonly Instruction[]): readonly Instruction[] => {
  if (before.length + more.length > MOST_INSTRUCTIONS) throw new UnsupportedPatternError("too long");
  return more;
};

const limited = (instructions: readonly Instruction[]): readonly Instruction[] => limitedSum([], instructions);

/** Whether a character fits a part of a pattern that is about one character. */
function characterTest(source: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^${source}$`, flags);
  const known = new Map<string, boolean>();
  return (character) => {
    const found = known.get(character) ?? pattern.test(character);
    known.set(character, found);
    return found;
  };
}
