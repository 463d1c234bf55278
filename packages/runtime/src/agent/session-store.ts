import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Clock, dataLayout } from "@mdx-ai/base";
import type { AgentEvent } from "@mdx-ai/loop";
import type { AgentDirectory } from "@mdx-ai/parser";
import { ephemeralSession, type OpenedSession, openStoredSession, type StoredSessionOptions } from "@mdx-ai/sessions";

/** Where the sessions of an agent are. */
export interface SessionStore {
  /** Whether a session outlives its release. */
  readonly isDurable: boolean;
  has(id: string): boolean;
  /** Opens or makes a session for this process alone. Throws `SessionInUseError` or `JournalError`. */
  open(id: string): OpenedSession;
  /** The events behind an id of the prompts that are kept, and of those that an earlier process left unfinished. */
  replay(id: string, after: string): AsyncIterable<AgentEvent>;
}

/** Sessions that live in memory until they are released. */
export const memoryStore: SessionStore = {
  isDurable: false,
  has: () => false,
  open: ephemeralSession,
  async *replay() {},
};

export interface FileStoreOptions extends Omit<StoredSessionOptions, "id" | "policy" | "directory" | "clock"> {
  readonly clock: Clock;
  readonly dataDirectory: string;
  /** Returns the agent directory as it was read last. */
  readonly agentDirectory: () => AgentDirectory;
}

/** Sessions that are folders of a data directory. */
export function fileStore({ dataDirectory, agentDirectory, clock, ...options }: FileStoreOptions): SessionStore {
  const directory = dataLayout(dataDirectory).sessions;
  const has = (id: string): boolean => existsSync(join(directory, id));
  return {
    isDurable: true,
    has,
    open: (id) => openStoredSession({ ...options, directory, id, clock }),
    async *replay(id, after) {
      if (!has(id)) return;
      const { recordedEvents } = await import("../recording/recorded-events.ts");
      yield* recordedEvents(agentDirectory(), { session: id, dataDirectory }, after);
    },
  };
}
