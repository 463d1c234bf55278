import { plainLine } from "@mdx-ai/directory/text";
import { listSessions } from "@mdx-ai/runtime";
import type { ChoosableModels } from "../model-command.ts";
import type { Completion } from "../screen/input-completion.ts";

/** What is known of the words that commands take. */
export interface WordSources {
  /** The folder of the sessions; absent if none is kept. Absolute. */
  readonly dataDir: string | undefined;
  readonly models: Pick<ChoosableModels, "list">;
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

/** Milliseconds for which the list of sessions is kept: it is looked at with every key. */
const FRESH = 3_000;

/** The words that fit behind commands, such as the sessions behind `/session switch`. */
export class CommandWords {
  readonly #sources: () => WordSources;
  #sessions: readonly Completion[] = [];
  #at = Number.NEGATIVE_INFINITY;
  #models: readonly Completion[] | undefined;

  constructor(sources: () => WordSources) {
    this.#sources = sources;
  }

  /** What `/session` does. */
  readonly session = (words: string): readonly Completion[] => {
    const verb = /^(switch|delete|info)\s/.exec(words)?.[1];
    if (verb === undefined) return SESSION_WORDS;
    return this.#known().map(({ value, description }) => ({ value: `${verb} ${value}`, description }));
  };

  /** The models that `/model` lists; none before they are read, which the first key behind `/model` begins. */
  readonly model = (): readonly Completion[] => {
    if (this.#models === undefined) void this.#listModels();
    return this.#models ?? [];
  };

  async #listModels(): Promise<void> {
    this.#models = [];
    // `/model` itself says why they cannot be read.
    const listed = await this.#sources()
      .models.list()
      .catch(() => []);
    this.#models = listed.map(({ reference, origin }) => ({ value: reference, description: plainLine(origin) }));
  }

  #known(): readonly Completion[] {
    const { dataDir, redact } = this.#sources();
    if (dataDir === undefined) return [];
    const now = performance.now();
    if (now - this.#at > FRESH) {
      this.#sessions = listSessions(dataDir).sessions.map((session) => ({
        value: session.id,
        description: session.state === "readable" ? plainLine(redact(session.title)) : "",
      }));
      this.#at = performance.now();
    }
    return this.#sessions;
  }
}

const SESSION_WORDS: readonly Completion[] = [
  { value: "switch ", description: "continues another session" },
  { value: "new", description: "begins a new session" },
  { value: "list", description: "lists the sessions" },
  { value: "info", description: "shows the figures of a session" },
  { value: "delete ", description: "deletes a session" },
];
