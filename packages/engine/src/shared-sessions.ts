import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, jsonValue } from "@mdx-ai/base";
import { makeProcessFolder } from "@mdx-ai/base/disk";
import type { SharedSessions } from "@mdx-ai/directory";
import { type Agent, type HostedSession, hostedSession } from "@mdx-ai/runtime";
import {
  type JournalLine,
  readJournalLines,
  type SaidMessage,
  SessionBusyError,
  SessionExistsError,
  sessionAfter,
  sessionFolder,
  UnknownSessionError,
} from "@mdx-ai/sessions";
import {
  type ControllerState,
  IDLE,
  isSessionLines,
  isSessionState,
  keyParts,
  type LineRange,
  objectKey,
  type SessionInfo,
  type SessionState,
  serviceNames,
} from "./protocol.ts";
import type { RestateClient } from "./restate-client.ts";
import { SessionFolders } from "./session-folders.ts";

export interface SharedSessionsParts {
  readonly client: RestateClient;
  /** The name of the agent in the engine. */
  readonly agent: string;
  readonly user: string | undefined;
  /** The agent as it is open in this process; absent for copies alone. */
  readonly opened?: Agent;
}

/** The sessions of an agent and a user in the engine, as this process knows them. */
export class EngineSessions implements SharedSessions {
  readonly #parts: SharedSessionsParts;
  readonly #folders = new SessionFolders(makeProcessFolder("mdx-ai-engine-"));
  readonly #hosted = new Map<string, HostedSession>();
  /** Of sessions that are not idle. */
  readonly #states = new Map<string, ControllerState>();
  readonly #refreshing = new Map<string, Promise<void>>();

  constructor(parts: SharedSessionsParts) {
    this.#parts = parts;
  }

  /** With the sessions that were asked for, as folders. Absolute. */
  get directory(): string {
    return this.#folders.directory;
  }

  /** The session with its events in this process. */
  hosted(id: string): HostedSession {
    const known = this.#hosted.get(id);
    if (known !== undefined) return known;
    const { opened } = this.#parts;
    if (opened === undefined) throw new TypeError("the agent is not open");
    const made = hostedSession(opened, id, () => this.lines(id));
    this.#hosted.set(id, made);
    return made;
  }

  /** Forgets a session whose events nobody reads. */
  leave(id: string): void {
    const hosted = this.#hosted.get(id);
    if (hosted?.hasReaders === false && !hosted.isRunning) this.#hosted.delete(id);
  }

  /** The state of a session when it was last refreshed. */
  stateOf(id: string): ControllerState {
    return this.#states.get(id) ?? IDLE;
  }

  /** All lines of a session so far. Rejects with `UnknownSessionError`, `EngineError` or `JournalError`. */
  async lines(id: string): Promise<readonly JournalLine[]> {
    await this.refresh(id);
    return readJournalLines(sessionFolder(this.directory, id));
  }

  refresh(id: string): Promise<void> {
    this.#folders.trim();
    return this.#refreshed(id);
  }

  /** One refresh of a session after another. */
  async #refreshed(id: string): Promise<void> {
    const before = this.#refreshing.get(id) ?? Promise.resolve();
    const next = before.catch(() => {}).then(() => this.#refresh(id));
    this.#refreshing.set(id, next);
    try {
      await next;
    } finally {
      if (this.#refreshing.get(id) === next) this.#refreshing.delete(id);
    }
  }

  async #refresh(id: string): Promise<void> {
    const { info, state } = await this.state(id);
    this.#keep(id, state);
    if (info === undefined) {
      this.#folders.remove(id);
      throw new UnknownSessionError(id);
    }
    const found = await this.#linesAfter(id, { after: this.#folders.nextOf(id, info) });
    if (isSessionLines(found)) this.#folders.add(id, info, found);
  }

  #keep(id: string, state: ControllerState): void {
    if (isIdle(state)) this.#states.delete(id);
    else this.#states.set(id, state);
  }

  async refreshAll(): Promise<void> {
    this.#folders.trim();
    const found = await this.#all();
    for (const gone of this.#folders.ids.filter((id) => !found.has(id))) this.#folders.remove(gone);
    const changed = [...found].flatMap(([id, { info, state }]) => {
      if (!isIdle(state) || info === undefined || !this.#folders.has(id, info, state.next ?? 0)) return [id];
      this.#keep(id, state);
      return [];
    });
    await Promise.all(changed.map((id) => this.#refreshed(id).catch(ifUnknown)));
  }

  async create(id: string | undefined, title: string | undefined): Promise<string> {
    for (;;) {
      const name = id ?? newId();
      const info: SessionInfo = {
        key: crypto.randomUUID(),
        created: Date.now(),
        ...(title !== undefined && { title }),
      };
      if ((await this.call(name, "create", info)) === true) {
        await this.refresh(name);
        return name;
      }
      if (id !== undefined) throw new SessionExistsError(id);
    }
  }

  async createAfter(said: readonly SaidMessage[]): Promise<string> {
    const id = await this.create(undefined, undefined);
    if (said.length === 0) return id;
    const folder = mkdtempSync(join(this.directory, "imported-"));
    try {
      const imported = sessionAfter(folder, said, Date.now());
      await this.change(id, "append", readJournalLines(sessionFolder(folder, imported)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return id;
  }

  async retitle(id: string, title: string): Promise<void> {
    await this.call(id, "retitle", title);
    await this.refresh(id);
  }

  /** The controller's state. */
  async state(id: string): Promise<SessionState> {
    const found = await this.call(id, "state");
    return isSessionState(found) ? found : { state: IDLE };
  }

  /** Calls a handler of a session's controller. Rejects with `EngineError` or `JournalError`. */
  call(id: string, handler: string, parameter?: unknown): Promise<unknown> {
    const { client, agent, user } = this.#parts;
    return client.call(serviceNames(agent).controller, objectKey(user, id), handler, parameter);
  }

  /** Changes a session between its prompts. Rejects with `SessionBusyError` while one runs or waits, too. */
  async change(id: string, handler: "append" | "remove", parameter?: unknown): Promise<void> {
    // The controller learns a little later than readers that a prompt has ended.
    for (let tries = 0; tries < 10; tries++) {
      if ((await this.call(id, handler, parameter)) === true) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new SessionBusyError(id);
  }

  /** The lines of a session after a chunk. */
  #linesAfter(id: string, range: LineRange): Promise<unknown> {
    const { client, agent, user } = this.#parts;
    return client.call(serviceNames(agent).session, objectKey(user, id), "lines", range);
  }

  /** The sessions of the user, by id. */
  async #all(): Promise<ReadonlyMap<string, SessionState>> {
    const { client, agent, user } = this.#parts;
    const { controller } = serviceNames(agent);
    const rows = await client.query(
      `SELECT service_key, key, value_utf8 FROM state WHERE service_name = '${controller}' AND key IN ('info', 'state')`,
    );
    const found = new Map<string, SessionState>();
    for (const row of rows) {
      if (!isRecord(row)) continue;
      const { user: owner, session } = keyParts(String(row["service_key"]));
      if (owner !== user) continue;
      const value = { [String(row["key"])]: jsonValue(String(row["value_utf8"])) };
      const known = { state: IDLE, ...found.get(session), ...value };
      if (isSessionState(known)) found.set(session, known);
    }
    return new Map([...found].filter(([, { info }]) => info !== undefined));
  }

  /** Ends the streams of all readers, and removes the folders. */
  close(): void {
    for (const hosted of this.#hosted.values()) hosted.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const isIdle = ({ running, queue, questions }: ControllerState): boolean =>
  running === undefined && queue.length === 0 && Object.keys(questions).length === 0;

/** The day, and a part that no other worker makes. */
const newId = (): string => `${new Date().toISOString().slice(0, 10)}_${crypto.randomUUID().slice(0, 8)}`;

function ifUnknown(error: unknown): void {
  if (!(error instanceof UnknownSessionError)) throw error;
}
