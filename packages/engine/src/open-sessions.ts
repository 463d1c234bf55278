import { lineSession, type OpenedSession } from "@mdx-ai/sessions";
import { LineBuffer } from "./line-buffer.ts";
import { keyParts, type SessionLines } from "./protocol.ts";

/** A session in memory, as its turns so far have left it. */
interface KeptSession {
  readonly opened: OpenedSession;
  readonly journal: LineBuffer;
  /** The number of the first chunk of lines after them. */
  readonly next: number;
}

/** How many sessions stay in memory between turns. */
const MAX_KEPT = 512;

/**
 * The transcripts of sessions whose last turn ran in this process. A transcript does not change while a turn runs, so it need not be read
 * through the engine's log, which would copy it there with every turn.
 */
export class OpenSessions {
  readonly #read: (objectKey: string, before: number) => Promise<SessionLines>;
  /** In the order of last use. */
  readonly #kept = new Map<string, KeptSession>();

  /** `read` resolves to the lines of a session before a chunk. */
  constructor(read: (objectKey: string, before: number) => Promise<SessionLines>) {
    this.#read = read;
  }

  /** A session before its next turn; it is not kept any more. `next` is the number of the turn's first chunk. */
  async take(objectKey: string, { key, next }: { readonly key: string; readonly next: number }): Promise<KeptSession> {
    const kept = this.#kept.get(objectKey);
    this.#kept.delete(objectKey);
    if (kept?.opened.key === key && kept.next === next) return kept;
    const { lines } = next === 0 ? { lines: [] } : await this.#read(objectKey, next);
    const journal = new LineBuffer();
    return { opened: lineSession({ id: keyParts(objectKey).session, key, lines, journal }), journal, next };
  }

  /** Keeps a session whose turn has ended well. */
  keep(objectKey: string, session: KeptSession): void {
    this.#kept.set(objectKey, session);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}
