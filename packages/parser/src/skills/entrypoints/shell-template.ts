import { type EntrypointMistake, type EntrypointScheme, mistake, unknownPlaceholder } from "./entrypoint-scheme.ts";
import {
  type Frame,
  frame,
  OPENING,
  PLACES,
  QUOTES,
  SHELL_TOKENS,
  type ShellToken,
  type TemplateQuotes,
} from "./shell-tokens.ts";

/** The place of an argument in a command. */
export interface TemplateArgument {
  /** A property of the tool's schema, or `baseDir`. */
  readonly name: string;
  readonly quotes: TemplateQuotes;
  /** What the word holds before and after the value, such as `--limit=` or a quote; left out together with it. */
  readonly lead: string;
  readonly trail: string;
  /** Whether it is a word of its own. One that is absent is left out as a whole. */
  readonly isWord: boolean;
  /** Whether its word begins with other arguments, and with nothing else. */
  readonly follows: boolean;
  /** Whether a program would take a value that begins with `-` for an option. */
  readonly maybeOption: boolean;
}

/** The target of a `bash:` entrypoint. */
export type ShellTemplate =
  /** The argument is the command. */
  | { readonly kind: "command"; readonly name: string }
  /** Texts of the author and the arguments between them. */
  | { readonly kind: "template"; readonly parts: readonly (string | TemplateArgument)[] };

/** The folder of the skill: no property of this name is an argument unless the schema has it. */
export const BASE_DIRECTORY = "baseDir";

/**
 * Reads a command with `{name}` for each argument. `{{` and `}}` stand for braces, as do braces that hold no name; `${NAME}` is a
 * variable of the shell. A placeholder where no quoting could keep its value from being run as code is a mistake. Never throws.
 */
export function shellTemplate(target: string, names: readonly string[]): ShellTemplate | EntrypointMistake {
  const [, only] = /^\s*\{([^{}]+)\}\s*$/.exec(target) ?? [];
  if (only !== undefined && names.includes(only)) return { kind: "command", name: only };
  if (target.trim() === "")
    return mistake("the entrypoint has no command", "write a command, such as `bash:ls {path}`");
  return new TemplateScanner(target, new Set([...names, BASE_DIRECTORY])).scan();
}

/** Takes the place of an argument, or of `$(…)`, in the word that it is a part of. */
const VALUE = "\0";

/** What may follow a word; a number before `<` or `>` would be a part of the redirection. */
const BOUNDARY = /^(?:$|[\s;&|()])/;

/** Programs without an option that does harm. */
const HARMLESS: readonly string[] = ["echo"];

/** A word that is no option and cannot become one: `printf` takes what follows it as text. */
const OPERAND = /^(?:['"][^-'"$`\0]|[^-'"$`\0\\{*?[~])/;

/** Characters in which a placeholder must end. */
const MAX_PLACEHOLDER = 200;

/** Reads a command as a shell would, as far as needed to know how to quote each argument. To be used once. */
class TemplateScanner {
  readonly #text: string;
  readonly #names: ReadonlySet<string>;
  readonly #frames: Frame[] = [frame("commands", 0)];
  readonly #parts: (string | TemplateArgument)[] = [];
  /** How each open brace was written; it is closed in the same way. */
  readonly #braces: ("single" | "doubled")[] = [];
  #literal = "";
  #at = 0;
  /** The current word of a command, as it is written. */
  #word = "";
  #isUnsure = false;
  #awaitsDocument = false;

  constructor(text: string, names: ReadonlySet<string>) {
    this.#text = text;
    this.#names = names;
  }

  scan(): ShellTemplate | EntrypointMistake {
    while (this.#at < this.#text.length) {
      const problem = this.#step();
      if (problem !== undefined) return problem;
    }
    const open = this.#frames.find(({ kind }, index) => index > 0 && kind !== "comment" && kind !== "document");
    if (open !== undefined && this.#parts.length > 0) {
      const hint = "close it, so that arguments can be quoted";
      return mistake("a quote or a bracket of the command is not closed", hint, open.index);
    }
    this.#flush();
    return { kind: "template", parts: this.#parts };
  }

  get #frame(): Frame {
    return this.#frames.at(-1) ?? frame("commands", 0);
  }

  /** The part that the current command is in. */
  get #commands(): Frame {
    return this.#frames.findLast(({ kind }) => kind === "commands") ?? this.#frame;
  }

  #step(): EntrypointMistake | undefined {
    switch (this.#text[this.#at]) {
      case "{":
        return this.#openBrace();
      case "}":
        this.#closeBrace();
        return undefined;
      default:
        this.#read();
        return undefined;
    }
  }

  #openBrace(): EntrypointMistake | undefined {
    const isDoubled = this.#text[this.#at + 1] === "{";
    if (!isDoubled) {
      const inside = /^\{([^{}\n]*)\}/.exec(this.#text.slice(this.#at, this.#at + MAX_PLACEHOLDER));
      const [whole = "", name = ""] = inside ?? [];
      if (inside !== null && this.#names.has(name)) return this.#argument(name, whole.length);
      if (/^[A-Za-z_][\w-]*$/.test(name)) return unknownPlaceholder(name, this.#at);
    }
    this.#braces.push(isDoubled ? "doubled" : "single");
    this.#take("{", isDoubled ? 2 : 1);
    return undefined;
  }

  #closeBrace(): void {
    const isDoubled = this.#braces.pop() !== "single" && this.#text[this.#at + 1] === "}";
    if (this.#frame.kind === "expansion") this.#frames.pop();
    this.#take("}", isDoubled ? 2 : 1);
  }

  #read(): void {
    const found = this.#token();
    if (found === undefined) {
      this.#take(this.#text.charAt(this.#at));
      return;
    }
    const { token, text } = found;
    if (token.isUnsure) this.#isUnsure = true;
    if (token.isDocument) this.#awaitsDocument = true;
    if (token.ends !== undefined) this.#endWord(token.ends);
    if (token.opens === "expansion") this.#braces.push(text === "${{" ? "doubled" : "single");
    const index = this.#at;
    this.#take(text === "${{" ? "${" : text, text.length);
    if (token.ends !== undefined) this.#word = "";
    this.#turn(token, index);
    if (text === "\n" && this.#awaitsDocument) this.#frames.push(frame("document", index));
  }

  /** Opens or closes the part that a token begins or ends. */
  #turn({ opens, closes, depth = 0 }: ShellToken, index: number): void {
    if (opens !== undefined) this.#frames.push(frame(opens, index));
    if (opens === "commands") this.#word = "";
    const current = this.#frame;
    current.depth += depth;
    // The outermost part ends with the text: a bracket may close a pattern of `case`.
    if (this.#frames.length === 1) return;
    const isArithmeticOver = current.kind === "arithmetic" && current.depth === 0;
    if (closes || isArithmeticOver) this.#frames.pop();
    if (closes && current.kind === "commands") this.#word = VALUE;
  }

  #token(): { readonly token: ShellToken; readonly text: string } | undefined {
    for (const token of SHELL_TOKENS[this.#frame.kind]) {
      if (token.startsWord && this.#word !== "") continue;
      token.pattern.lastIndex = this.#at;
      const [text] = token.pattern.exec(this.#text) ?? [];
      if (text !== undefined) return { token, text };
    }
    return undefined;
  }

  /** Takes notice of a word of a command, and of the end of the command. */
  #endWord(end: "word" | "command"): void {
    const word = this.#word;
    const current = this.#frame;
    if (word === "--" || this.#isFormat(word)) current.endsOptions = true;
    if (word === "[[") current.isCondition = true;
    if (word === "]]") current.isCondition = false;
    // The brackets of its patterns close nothing.
    if (word === "case" && this.#frames.length > 1) this.#isUnsure = true;
    if (current.program === "" && !/^\w+=/.test(word)) current.program = word;
    if (end === "word") return;
    current.program = "";
    current.endsOptions = false;
  }

  /** Whether a word that ends here is the text that `printf` fills. */
  #isFormat(word: string): boolean {
    if (this.#commands.program !== "printf" || !OPERAND.test(word)) return false;
    return /printf\s+$/.test(this.#text.slice(0, this.#at - word.length));
  }

  #argument(name: string, length: number): EntrypointMistake | undefined {
    const quotes = QUOTES[this.#frame.kind];
    if (quotes === undefined || this.#isUnsure || this.#commands.isCondition) return this.#unquotable(name);
    const opening = OPENING[quotes];
    const after = this.#text.slice(this.#at + length);
    const isLast = after.startsWith(opening) && BOUNDARY.test(after.slice(opening.length));
    const lead = this.#word;
    const isWord = isLast && lead === opening;
    const isWhole = isWord || (isLast && /^--?[\w-]+=["']?$/.test(lead) && lead.endsWith(`=${opening}`));
    if (isWhole) this.#literal = this.#literal.slice(0, this.#literal.length - lead.length);
    this.#flush();
    const edges = isWhole ? { lead, trail: opening } : { lead: "", trail: "" };
    // Values may be empty.
    const maybeOption = /^['"\0]*$/.test(lead) && this.#hasOptions();
    const follows = lead.includes(VALUE) && typeof this.#parts.at(-1) !== "string";
    this.#parts.push({ name, quotes, ...edges, isWord, follows, maybeOption });
    this.#at += length;
    this.#word += VALUE;
    if (isWhole && opening !== "") {
      this.#frames.pop();
      this.#at += 1;
    }
    return undefined;
  }

  /** Whether the program of the current command would take a word for an option. */
  #hasOptions(): boolean {
    const { program, endsOptions } = this.#commands;
    return program !== "" && !endsOptions && !HARMLESS.includes(program);
  }

  #unquotable(name: string): EntrypointMistake {
    const place = this.#commands.isCondition ? "between [[ and ]]" : PLACES[this.#frame.kind];
    return mistake(
      `the placeholder {${name}} is ${place ?? "behind text that cannot be read for sure"}, where its value could be run as code`,
      `set a variable first, such as \`value={${name}}; …\`, and use that`,
      this.#at,
    );
  }

  #take(text: string, length = text.length): void {
    this.#literal += text;
    this.#word += text;
    this.#at += length;
  }

  #flush(): void {
    if (this.#literal !== "") this.#parts.push(this.#literal);
    this.#literal = "";
  }
}

export const bashScheme: EntrypointScheme = { read: ({ target }, names) => shellTemplate(target, names) };
