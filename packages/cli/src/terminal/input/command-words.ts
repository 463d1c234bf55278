import { plainLine } from "@mdx-ai/directory/text";
import { listSessions } from "@mdx-ai/runtime";
import type { Completion } from "../screen/input-completion.ts";

/** What is known of the words that commands take. */
export interface WordSources {
  /** The folder of the sessions; absent if none is kept. Absolute. */
  readonly dataDir: string | undefined;
  /** The models that the agent can use, each as `provider/name`. */
  readonly models: readonly string[];
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

  constructor(sources: () => WordSources) {
    this.#sources = sources;
  }

  /** What `/session` does. */
  readonly session = (words: string): readonly Completion[] => {
    const verb = /^(switch|delete|info)\s/.exec(words)?.[1];
    if (verb === undefined) return SESSION_WORDS;
    return this.#known().map(({ value, description }) => ({ value: `${verb} ${value}`, description }));
  };

  /** The models of the agent. */
  readonly model = (): readonly Completion[] => this.#sources().models.map((value) => ({ value, description: "" }));

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
