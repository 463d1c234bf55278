/** An option as it was written. */
interface OptionToken {
  readonly kind: "option";
  /** Without dashes. */
  readonly name: string;
  /** With its dashes, without its value. */
  readonly rawName: string;
  /** Absent if there is none. */
  readonly value?: string | undefined;
  /** Whether the value was written as `--name=value`. */
  readonly isInline: boolean;
}

/** A part of a command line. The rest is what follows `--`. */
export type ArgumentToken =
  | OptionToken
  | { readonly kind: "positional"; readonly value: string }
  | { readonly kind: "rest"; readonly values: readonly string[] };

/** An option that a command knows. */
export interface KnownOption {
  readonly name: string;
  readonly short?: string;
  /** Present if it takes a value. */
  readonly value?: string;
}

/**
 * Splits arguments into options and others, as `parseArgs` of `node:util` does when it is not strict; a prompt needs nothing else
 * of that module, which takes half a millisecond to load in the executable, and two from source.
 */
export function argumentTokens(args: readonly string[], known: readonly KnownOption[]): readonly ArgumentToken[] {
  const rest = [...args];
  const tokens: ArgumentToken[] = [];
  for (let text = rest.shift(); text !== undefined; text = rest.shift()) {
    if (text === "--") return [...tokens, { kind: "rest", values: rest }];
    if (text === "-" || !text.startsWith("-")) {
      tokens.push({ kind: "positional", value: text });
      continue;
    }
    const options = text.startsWith("--") ? [longOption(text)] : shortOptions(text, known);
    const last = options.at(-1);
    const isWaiting = last && !last.isInline && known.some(({ name, value }) => name === last.name && value);
    tokens.push(...(isWaiting ? [...options.slice(0, -1), { ...last, value: rest.shift() }] : options));
  }
  return tokens;
}

function longOption(text: string): OptionToken {
  const end = text.indexOf("=", 3);
  const name = text.slice(2, end < 0 ? undefined : end);
  const option = { kind: "option", name, rawName: `--${name}` } as const;
  return end < 0 ? { ...option, isInline: false } : { ...option, value: text.slice(end + 1), isInline: true };
}

/** Letters after one dash; what follows the letter of an option that takes a value is that value. */
function shortOptions(text: string, known: readonly KnownOption[]): readonly OptionToken[] {
  const tokens: OptionToken[] = [];
  for (const [index, letter] of [...text.slice(1)].entries()) {
    const option = known.find(({ short }) => short === letter);
    const token = { kind: "option", name: option?.name ?? letter, rawName: `-${letter}` } as const;
    const value = [...text.slice(1)].slice(index + 1).join("");
    if (option?.value !== undefined && value !== "") return [...tokens, { ...token, value, isInline: true }];
    tokens.push({ ...token, isInline: false });
  }
  return tokens;
}
