import type { OpenDirectory } from "@mdx-ai/directory";
import { resumeUnfinished } from "./resume-unfinished.ts";

/** An agent that a server offers. */
export interface AgentSource {
  /** Its name in addresses, unique in the server. */
  readonly name: string;
  /** Opens the agent for a user; undefined: for the person who runs the server. Each user has other sessions. Rejects as `openDirectory` does. */
  open(user: string | undefined): Promise<OpenDirectory>;
}

/** No agent has this name. */
export class UnknownAgentError extends Error {
  override readonly name = "UnknownAgentError";

  constructor(name: string) {
    super(`there is no agent ${JSON.stringify(name.slice(0, 80))}`);
  }
}

/** The server is stopping. */
export class ServerClosedError extends Error {
  override readonly name = "ServerClosedError";

  constructor() {
    super("the server is stopping");
  }
}

/** The agents of a server. Each one is opened once for each user, and then continues what an earlier process left unfinished. */
export class ServedAgents {
  readonly #sources: ReadonlyMap<string, AgentSource>;
  readonly #opened = new Map<string, Promise<OpenDirectory>>();
  readonly #onWarning: (message: string) => void;
  #isClosed = false;

  constructor(sources: readonly AgentSource[], onWarning: (message: string) => void) {
    this.#sources = new Map(sources.map((source) => [source.name, source]));
    this.#onWarning = onWarning;
  }

  get names(): readonly string[] {
    return [...this.#sources.keys()];
  }

  /** The agent, opened for a user. A failure is not kept. Rejects with `UnknownAgentError` or `ServerClosedError`, or as `AgentSource.open` does. */
  async of(name: string, user: string | undefined): Promise<OpenDirectory> {
    const source = this.#sources.get(name);
    if (source === undefined) throw new UnknownAgentError(name);
    if (this.#isClosed) throw new ServerClosedError();
    const key = JSON.stringify([name, user]);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opening = this.#open(source, user);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  /** Opens all agents for these users, one after another, since each may ask whether it is trusted. Rejects with the first failure. */
  async openAll(users: readonly (string | undefined)[]): Promise<void> {
    for (const name of this.names) for (const user of users) await this.of(name, user);
  }

  /** Closes the agents. Running prompts stay interrupted, with their finished steps on disk. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await Promise.allSettled(this.#opened.values());
    await Promise.all(opened.map((one) => (one.status === "fulfilled" ? one.value.close() : undefined)));
  }

  async #open(source: AgentSource, user: string | undefined): Promise<OpenDirectory> {
    const opened = await source.open(user);
    await resumeUnfinished(opened, this.#onWarning);
    return opened;
  }
}
