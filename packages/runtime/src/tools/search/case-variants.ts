/** Above it no character has cases. */
const LAST = 0x1ffff;

/** Which characters differ only in their case, by the simple case folding of Unicode: each is one character. */
export class CaseVariants {
  #groups: ReadonlyMap<string, readonly string[]> | undefined;

  /** A character and those that differ from it only in their case. */
  of(character: string): readonly string[] {
    return within(character, "a", "z") || within(character, "A", "Z")
      ? ofLetter(character)
      : character < "\x80"
        ? [character]
        : (this.#all().get(character) ?? [character]);
  }

  /** Those that differ only in their case from one of the characters from `first` to `last`. */
  ofRange(first: number, last: number): readonly string[] {
    if (last < 0x80) {
      const characters = Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
      return characters.flatMap((character) => this.of(character));
    }
    return [...this.#all()].flatMap(([character, group]) => {
      const code = character.codePointAt(0) ?? 0;
      return code >= first && code <= last ? group : [];
    });
  }

  /** Made when it is first needed: it takes some milliseconds. */
  #all(): ReadonlyMap<string, readonly string[]> {
    this.#groups ??= groups();
    return this.#groups;
  }
}

const within = (character: string, first: string, last: string): boolean => character >= first && character <= last;

/** The signs of Kelvin and the long s fold to letters of ASCII. */
const ODD: Readonly<Record<string, string>> = { k: "\u212A", s: "\u017F" };

function ofLetter(letter: string): readonly string[] {
  const small = letter.toLowerCase();
  const odd = ODD[small];
  return [small, small.toUpperCase(), ...(odd === undefined ? [] : [odd])];
}

function groups(): ReadonlyMap<string, readonly string[]> {
  const characters = Array.from({ length: LAST + 1 }, (_, code) =>
    code >= 0xd800 && code <= 0xdfff ? "" : String.fromCodePoint(code),
  ).join("");
  const byFold = new Map<string, Set<string>>();
  for (const character of characters.match(CHANGES) ?? []) {
    const fold = folded(character);
    const group = byFold.get(fold) ?? new Set([fold]);
    byFold.set(fold, group.add(character));
  }
  return new Map([...byFold.values()].flatMap((group) => [...group].map((one) => [one, [...group]] as const)));
}

/** What the full case folding changes; some of it the simple one leaves as it is. */
const CHANGES = /\p{Changes_When_Casefolded}/gu;

function folded(character: string): string {
  const small = single(character.toLowerCase()) ?? character;
  const capital = single(small.toUpperCase()) ?? small;
  const fold = single(capital.toLowerCase()) ?? capital;
  // The letters of the Cherokee fold to capitals.
  return /^\p{Changes_When_Casefolded}$/u.test(fold) ? capital : fold;
}

const single = (text: string): string | undefined => ([...text].length === 1 ? text : undefined);
