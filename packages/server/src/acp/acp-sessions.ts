import {
  type ListSessionsRequest,
  type ListSessionsResponse,
  RequestError,
  type SessionInfo,
} from "@agentclientprotocol/sdk";
import { defined, errorMessage, KeyedSemaphore } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import { dataOfRun, NEW_SESSION, type RunOptions, readRunnable, readTrusted, resolveModels } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { NoModelError } from "@mdx-ai/models";
import { discardUnused, fileStore, idRefusal, type SessionSummary } from "@mdx-ai/sessions";
import { authRequired, invalidParams } from "./acp-errors.ts";
import type { AcpSession, EarlierChoices } from "./acp-session.ts";
import { absolute, type ChosenSession, openAcpSession, type SessionParts, type SessionPlace } from "./open-session.ts";

export interface AcpSessionsParts extends Omit<SessionParts, "run"> {
  /** As in `AcpOptions`. */
  readonly run: Omit<RunOptions, "directory">;
  readonly agent: () => Promise<string>;
}

/** The most sessions of one page of a list. */
const PAGE = 100;

/** The sessions of an agent, and those that the client has open. */
export class AcpSessions {
  readonly #parts: AcpSessionsParts;
  readonly #open = new Map<string, AcpSession>();
  /** The sessions that began here: without a prompt they leave nothing. */
  readonly #begun = new Set<string>();
  /** What opens and closes sessions, by their ids: a session is open once. */
  readonly #changing = new KeyedSemaphore();

  constructor(parts: AcpSessionsParts) {
    this.#parts = parts;
  }

  /** Rejects if a session could not run now: the directory is not trusted, or no model can be asked. */
  async requireReady(): Promise<void> {
    const { frontEnd, signal } = this.#parts;
    const run = await this.#run();
    const directory = await readTrusted(run, { frontEnd, signal });
    const { models } = await resolveModels(run, directory.definition.settings, frontEnd);
    if (models.length === 0) throw new NoModelError();
  }

  /** A session that is open. */
  find(id: string): AcpSession | undefined {
    return this.#open.get(id);
  }

  /** The same. Throws a `RequestError` if it is not open. */
  get(id: string): AcpSession {
    const session = this.find(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Rejects as `openRun` and what it needs do. */
  async create(place: SessionPlace): Promise<AcpSession> {
    const session = await this.#opened({ session: NEW_SESSION }, place);
    this.#begun.add(session.id);
    return session;
  }

  /** Opens a session that exists, again if it is open already: its place may have changed. Also rejects with `UnknownSessionError`. */
  reopen(id: string, place: SessionPlace): Promise<AcpSession> {
    return this.#changing.run(id, async () => {
      const open = this.#open.get(id);
      await open?.end();
      this.#open.delete(id);
      return this.#opened({ session: id, isExisting: true }, place, open?.choices ?? {});
    });
  }

  /** The sessions with a prompt, the most recently used first. Rejects with `DirectoryError`. */
  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { directory, data } = await this.#place();
    const { shared } = this.#parts;
    const folder = cwd == null ? undefined : realPathOrSame(absolute(cwd, "cwd"));
    const from = cursor == null ? 0 : Number(cursor);
    if (!Number.isSafeInteger(from) || from < 0) throw invalidParams("the cursor is not one of this agent");
    const found = fileStore({ dataDirectory: data })
      .list()
      .sessions.flatMap((session) => (session.state === "readable" && session.prompts > 0 ? [session] : []))
      // Sessions that others run have no folder here, and are shown in each.
      .map((session) => infoOf(session, shared && folder !== undefined ? folder : directory.realPath))
      .filter((session) => folder === undefined || session.cwd === folder);
    const sessions = found.slice(from, from + PAGE);
    return { sessions, ...(found.length > from + PAGE && { nextCursor: String(from + PAGE) }) };
  }

  /** Cancels what runs in an open session and closes it. Rejects with a `RequestError` if it is not open. */
  close(id: string): Promise<void> {
    return this.#changing.run(id, async () => {
      const session = this.get(id);
      this.#open.delete(id);
      await session.end();
      this.#left(session);
    });
  }

  /** Deletes a session, open or not; does nothing if there is none. Rejects with `SessionInUseError`. */
  delete(id: string): Promise<void> {
    return this.#changing.run(id, () => this.#delete(id));
  }

  async #delete(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    await session?.end();
    const { shared } = this.#parts;
    if (shared !== undefined) return idRefusal(id) === undefined ? shared.delete(id) : undefined;
    const { data } = await this.#place();
    const store = fileStore({ dataDirectory: data });
    if (idRefusal(id) === undefined && store.has(id)) store.delete(id);
  }

  /** Closes all agents. Running prompts stay interrupted, as after a kill. Never rejects. */
  async closeAll(): Promise<void> {
    await this.#changing.settled();
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((session) => session.close()));
    for (const session of open) this.#left(session);
  }

  /** Removes a session that nobody has used. Never throws. */
  #left({ id, dataDirectory }: AcpSession): void {
    if (this.#begun.delete(id) && this.#parts.shared === undefined) discardUnused(dataDirectory, id, Date.now());
  }

  /** Where the agent and its data are. Runs none of its code. */
  async #place() {
    const { frontEnd, shared } = this.#parts;
    const run = await this.#run();
    const directory = await readRunnable(run.directory, frontEnd);
    return { directory, data: (await shared?.copyAll()) ?? dataOfRun(run, directory, frontEnd) };
  }

  /** The user's options with the agent. Rejects with a `RequestError` if none is named, and there is no default yet. */
  async #run(): Promise<RunOptions> {
    const { run, agent } = this.#parts;
    const directory = await agent().catch((error: unknown) => {
      throw authRequired(errorMessage(error));
    });
    return { ...run, directory };
  }

  async #opened(chosen: ChosenSession, place: SessionPlace, earlier?: EarlierChoices): Promise<AcpSession> {
    const { agent: _named, ...parts } = this.#parts;
    const session = await openAcpSession(
      { ...parts, run: await this.#run() },
      { chosen, place, ...defined({ earlier }) },
    );
    this.#open.set(session.id, session);
    return session;
  }
}

const infoOf = ({ id, workspace, title, lastUsed }: SessionSummary, agentDir: string): SessionInfo => ({
  sessionId: id,
  cwd: workspace ?? agentDir,
  title: plainLine(title),
  ...(lastUsed !== undefined && { updatedAt: new Date(lastUsed).toISOString() }),
});
