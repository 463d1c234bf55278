import { plainLine } from "@mdx-ai/directory/text";
import type { ToolOutputMode } from "@mdx-ai/parser";
import type { Session } from "@mdx-ai/runtime";
import type { Drawing } from "../screen/screen.ts";

const MODES: readonly ToolOutputMode[] = ["full", "short", "off"];
/** Shortened blocks that can be expanded; older ones are dropped. */
const REMEMBERED = 100;

/** How a conversation shows results, and the full content of shortened blocks. */
export class ToolOutput {
  #mode: ToolOutputMode;
  readonly #shortened: Drawing[] = [];
  readonly #hasKey: boolean;

  /** `mode`: of the settings. `hasKey`: whether a key shows shortened blocks. */
  constructor({
    mode = "short",
    hasKey = true,
  }: { readonly mode?: ToolOutputMode | undefined; readonly hasKey?: boolean } = {}) {
    this.#mode = mode;
    this.#hasKey = hasKey;
  }

  /** Appended to the note about omitted lines: the key that shows them. */
  get hint(): string {
    return this.#hasKey ? " (Ctrl+O)" : "";
  }

  get mode(): ToolOutputMode {
    return this.#mode;
  }

  /** Stores the full content of a shortened block. */
  remember(whole: Drawing): void {
    this.#shortened.push(whole);
    if (this.#shortened.length > REMEMBERED) this.#shortened.shift();
  }

  /** The full content of the last shortened block; each further call returns the one before. Undefined if none is left. */
  expand(): Drawing | undefined {
    return this.#shortened.pop();
  }

  /** Runs `/tool output` and returns the answer. */
  choose(word: string): string {
    const mode = MODES.find((candidate) => candidate === word);
    if (mode === undefined) return `Tool output is ${this.#mode}; /tool output full, short or off changes that.`;
    this.#mode = mode;
    return `Tool output is now ${MEANINGS[mode]}.`;
  }
}

const MEANINGS: Readonly<Record<ToolOutputMode, string>> = {
  full: "full: whole results and thoughts are shown",
  short: "short: 10 lines of a result are shown, of a command its first and last ones, of a file that was read none",
  off: "off: the names of tools are shown, and how many lines they returned",
};

/** Runs `/tool` and returns the answer. */
export function runToolCommand(words: string, session: Pick<Session, "toolOrigins">, output: ToolOutput): string {
  const [what = "", word = ""] = words.split(/\s+/);
  switch (what) {
    case "list":
      return toolsText(session.toolOrigins());
    case "output":
      return output.choose(word);
    default:
      return "/tool list shows the tools and where they come from; /tool output full, short or off sets how much of the results is shown.";
  }
}

function toolsText(origins: ReturnType<Session["toolOrigins"]>): string {
  if (origins.size === 0) return "This session has no tools.";
  const width = Math.max(...[...origins.keys()].map((name) => plainLine(name).length));
  return [...origins].map(([name, origin]) => `${plainLine(name).padEnd(width)}  ${plainLine(origin)}`).join("\n");
}
