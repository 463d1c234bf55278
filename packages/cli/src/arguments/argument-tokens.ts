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

/**
 * Splits arguments into options and others, as `parseArgs` of `node:util` does when it is not strict; a prompt needs nothing else
 * of that module, which takes half a millisecond to load in the executable, and two from source. Letters after one dash are
 * switches.
 */
export function argumentTokens(
  args: readonly string[],
  takesValue: (name: string) => boolean,
): readonly ArgumentToken[] {
  const rest = [...args];
  const tokens: ArgumentToken[] = [];
  for (let text = rest.shift(); text !== undefined; text = rest.shift()) {
    if (text === "--") return [...tokens, { kind: "rest", values: rest }];
    if (text.startsWith("--")) {
      const option = longOption(text);
      tokens.push(!option.isInline && takesValue(option.name) ? { ...option, value: rest.shift() } : option);
    } else if (text.startsWith("-") && text !== "-") tokens.push(...shortOptions(text));
    else tokens.push(positional(text));
  }
  return tokens;
}

const positional = (value: string): ArgumentToken => ({ kind: "positional", value });

function longOption(text: string): OptionToken {
  const end = text.indexOf("=", 3);
  const name = text.slice(2, end < 0 ? undefined : end);
  const option = { kind: "option", name, rawName: `--${name}` } as const;
  return end < 0 ? { ...option, isInline: false } : { ...option, value: text.slice(end + 1), isInline: true };
}

const shortOptions = (text: string): readonly OptionToken[] =>
  [...text.slice(1)].map((name) => ({ kind: "option", name, rawName: `-${name}`, isInline: false }));
