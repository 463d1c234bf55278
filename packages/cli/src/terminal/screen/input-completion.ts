import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  CombinedAutocompleteProvider,
  fuzzyFilter,
} from "@earendil-works/pi-tui";
import { plainLine } from "@mdx-ai/directory/text";
import { mentionOf } from "../input/mentions.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** A suggestion of the input. */
export interface Completion {
  readonly value: string;
  readonly description: string;
}

/** A command that the input completes. */
export interface CompletedCommand {
  /** With its slash. */
  readonly name: string;
  /** Its arguments as text; absent if it has none. */
  readonly words?: string | undefined;
  readonly description: string;
  /** Completions of its words; absent if unknown. */
  complete?(words: string): readonly Completion[];
}

export interface InputCompletionOptions {
  /** The current commands and skills. */
  commands(): readonly CompletedCommand[];
  readonly files: WorkspaceFiles;
  /** What else may follow `@`: resources of MCP servers, as `SERVER:URI`. */
  resources?(): readonly Completion[];
  /** The base of relative paths. Absolute. */
  readonly folder: string;
}

/** Maximum number of suggestions. */
const MAX_COUNT = 50;
const MENTION = /(?:^|[\s([{])(?<mention>@(?:"[^"]*|[^\s"]*))$/;
const COMMAND = /^\/[\w:.-]*$/;
const ARGUMENT = /^(?<name>\/[\w:.-]+)\s+(?<words>.*)$/;

type Kind = "command" | "argument" | "file" | "path";

/** Completes commands, their words, files behind `@`, and paths. */
export class InputCompletion implements AutocompleteProvider {
  readonly #options: InputCompletionOptions;
  readonly #paths: CombinedAutocompleteProvider;
  #kind: Kind = "path";
  /** The line up to the cursor for the last suggestions. */
  #line = "";
  #areGuesses = false;

  constructor(options: InputCompletionOptions) {
    this.#options = options;
    this.#paths = new CombinedAutocompleteProvider([], options.folder);
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    options: { readonly signal: AbortSignal; readonly force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const line = (lines[cursorLine] ?? "").slice(0, cursorCol);
    const found = await this.#found(line, cursorLine === 0, options);
    if (found === undefined || options.signal.aborted) return null;
    const { kind, prefix, items, areGuesses = false } = found;
    if (items.length === 0) return null;
    this.#kind = kind;
    this.#line = line;
    this.#areGuesses = areGuesses;
    return { items: [...items], prefix };
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { value }: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const rest = line.slice(cursorCol).replace(value.endsWith('"') ? /^"/ : /^(?!)/, "");
    const endsWord = (this.#kind === "command" || this.#kind === "file") && !/[/\s]"?$/.test(value);
    const head = line.slice(0, cursorCol - prefix.length) + value + (endsWord && !rest.startsWith(" ") ? " " : "");
    return { lines: lines.with(cursorLine, head + rest), cursorLine, cursorCol: head.length };
  }

  /** Whether the last suggestions are for this line. */
  isFor(line: string): boolean {
    return line === this.#line;
  }

  /** Whether the last suggestions are words that only resemble what was typed. */
  get areGuesses(): boolean {
    return this.#areGuesses;
  }

  /** Whether a line is a complete command that needs no words. */
  isWhole(line: string): boolean {
    const name = line.trim();
    return this.#options.commands().some((command) => command.name === name && command.words === undefined);
  }

  async #found(
    line: string,
    isFirst: boolean,
    { signal, force = false }: { readonly signal: AbortSignal; readonly force?: boolean },
  ): Promise<Found | undefined> {
    const mention = MENTION.exec(line)?.groups?.["mention"];
    if (mention !== undefined) return this.#files(mention, signal);
    if (isFirst && COMMAND.test(line)) return this.#commands(line);
    const argument = isFirst ? this.#argument(line) : undefined;
    if (argument !== undefined || !force) return argument;
    const suggestions = await this.#paths.getSuggestions([line], 0, line.length, { signal, force });
    return suggestions === null ? undefined : { kind: "path", ...suggestions };
  }

  #commands(prefix: string): Found {
    const commands = this.#options.commands();
    const exact = commands.filter(({ name }) => name === prefix);
    const starting = commands.filter(({ name }) => name !== prefix && name.startsWith(prefix));
    const others = fuzzyFilter(
      commands.filter((command) => !exact.includes(command) && !starting.includes(command)),
      prefix.slice(1),
      ({ name }) => name,
    );
    const items = [...exact, ...starting, ...others].map(({ name, words, description }) => ({
      value: name,
      label: plainLine(words === undefined ? name : `${name} ${words}`),
      description: plainLine(description),
    }));
    return { kind: "command", prefix, items };
  }

  #argument(line: string): Found | undefined {
    const { name, words = "" } = ARGUMENT.exec(line)?.groups ?? {};
    const command = this.#options.commands().find((candidate) => candidate.name === name);
    const completions = command?.complete?.(words);
    if (completions === undefined) return undefined;
    const fitting = completions.filter(({ value }) => value.startsWith(words));
    const found =
      fitting.length > 0
        ? fitting
        : fuzzyFilter([...completions], words, ({ value, description }) => `${value} ${description}`);
    const items = found.slice(0, MAX_COUNT).map(({ value, description }) => ({
      value,
      label: plainLine(value),
      description: plainLine(description),
    }));
    return { kind: "argument", prefix: words, items, areGuesses: fitting.length === 0 };
  }

  async #files(prefix: string, signal: AbortSignal): Promise<Found | undefined> {
    const query = prefix.replace(/^@"?/, "");
    // Paths outside the folder are completed as paths.
    if (/^(?:\/|~|\.\.)/.test(query)) {
      const found = await this.#paths.getSuggestions([query], 0, query.length, { signal, force: true });
      const items = (found?.items ?? []).map((item) => ({ ...item, value: mentionOf(item.value.replaceAll('"', "")) }));
      return { kind: "file", prefix, items };
    }
    const fitting = (this.#options.resources?.() ?? []).filter(({ value }) => query !== "" && value.startsWith(query));
    const resources = fitting.map(({ value, description }) => ({
      value: mentionOf(value),
      label: plainLine(value),
      description: plainLine(description),
    }));
    const paths = await this.#options.files.find(query, MAX_COUNT, signal).catch(() => []);
    const files = paths.map((path) => ({ value: mentionOf(path), label: path }));
    return { kind: "file", prefix, items: [...resources, ...files].slice(0, MAX_COUNT) };
  }
}

interface Found {
  readonly kind: Kind;
  /** The end of the line that a suggestion replaces. */
  readonly prefix: string;
  readonly items: readonly AutocompleteItem[];
  /** Whether no suggestion begins with what was typed. */
  readonly areGuesses?: boolean;
}
