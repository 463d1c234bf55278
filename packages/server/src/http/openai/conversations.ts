import { sha256 } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { ImageContent } from "@mdx-ai/models";
import type { Session } from "@mdx-ai/runtime";
import { fileStore, type SaidMessage, sessionAfter } from "@mdx-ai/sessions";

/** How many conversations a server recognizes. */
const MAX_KNOWN = 10_000;

/**
 * The sessions of clients that send the whole conversation with each request. A request that continues a known conversation continues its
 * session, with all that the agent did there; any other one begins a session with the earlier messages.
 */
export class Conversations {
  /** The ids of sessions, by what was said there. */
  readonly #known = new Map<string, string>();

  /** The session of a conversation, whose last message is new. */
  async session(open: OpenDirectory, { said }: Pick<Asked, "said">): Promise<Session> {
    const earlier = said.slice(0, -1);
    const key = keyOf(open, earlier);
    const id = this.#known.get(key);
    // Another answer to the same conversation is another branch.
    this.#known.delete(key);
    if (id !== undefined && fileStore(open).has(id)) return open.agent.session(id);
    const made = await (open.shared?.createAfter(earlier) ?? sessionAfter(open.dataDirectory, earlier, Date.now()));
    return open.agent.session(made);
  }

  /** Remembers what was said in a session. */
  keep(open: OpenDirectory, said: readonly SaidMessage[], session: string): void {
    this.#known.set(keyOf(open, said), session);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

const keyOf = ({ dataDirectory }: OpenDirectory, said: readonly SaidMessage[]): string =>
  sha256(JSON.stringify([dataDirectory, ...said.map(({ role, content }) => [role, content.trim()])]));

/** A conversation of a request, with the new prompt at its end. */
export interface Asked {
  readonly said: readonly SaidMessage[];
  /** The prompt, and its images. */
  readonly text: string;
  readonly images: readonly ImageContent[];
}
