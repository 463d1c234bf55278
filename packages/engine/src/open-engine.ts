import { type Redactor, sha256 } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import { hostedHeartbeat } from "@mdx-ai/runtime";
import { SessionExistsError } from "@mdx-ai/sessions";
import { controllerObject } from "./controller-object.ts";
import { engineDirectory } from "./engine-agent.ts";
import { EngineError } from "./engine-error.ts";
import { EngineSession } from "./engine-session.ts";
import { HEARTBEAT, heartbeatObjects, heartbeatService } from "./heartbeat-object.ts";
import { OpenSessions } from "./open-sessions.ts";
import { isSessionLines, serviceName, serviceNames } from "./protocol.ts";
import { registerWorker, serviceMetadata } from "./register-worker.ts";
import { adminAddress, findServer, RestateClient } from "./restate-client.ts";
import { sessionObject } from "./session-object.ts";
import { EngineSessions } from "./shared-sessions.ts";
import { Attempts, type EngineService, startWorker, type Worker } from "./worker.ts";

/** An agent that a worker runs. */
export interface EngineAgentSource {
  readonly name: string;
  /** The agent's own name, which tells it from another one whose folder has the same name. */
  readonly title: string;
  open(user: string | undefined): Promise<OpenDirectory>;
}

export interface EngineOptions {
  /** The admin address of a Restate server, such as "restate://127.0.0.1:9070". */
  readonly address: string;
  readonly agents: readonly EngineAgentSource[];
  /** Where the worker listens. */
  readonly host: string;
  readonly port: number;
  /** The address at which the engine finds the worker, or a balancer before several. Default: where it listens. */
  readonly url?: string | undefined;
  readonly redactor: Redactor;
  readonly onWarning: (message: string) => void;
}

/** A worker of an engine, with the agents as its doors see them. */
export interface Engine {
  readonly agents: readonly EngineAgentSource[];
  readonly worker: Worker;
  /** Such as "http://127.0.0.1:9080". */
  readonly url: string;
  stop(): Promise<void>;
}

/** An agent that is open for a user. */
interface Opened {
  /** As it is on this machine. */
  readonly local: OpenDirectory;
  readonly directory: OpenDirectory;
  readonly sessions: EngineSessions;
}

/** Connects to a Restate server, listens for it, and registers this worker there. Rejects with `EngineError`. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const client = new RestateClient(await findServer(adminAddress(options.address)), { redactor: options.redactor });
  const attempts = new Attempts();
  const agents = options.agents.map((source) => new EngineAgentOf(source, client, { ...options, attempts }));
  const { host, port, onWarning } = options;
  const worker = await startWorker({
    host,
    port,
    attempts,
    onWarning,
    services: agents.flatMap(({ services }) => services),
  });
  const url = options.url ?? `http://${host.includes(":") ? `[${host}]` : host}:${worker.port}`;
  try {
    await registerWorker(client, url, agents);
  } catch (error) {
    await worker.stop();
    throw error;
  }
  return { agents, worker, url, stop: () => worker.stop() };
}

interface AgentParts extends Pick<EngineOptions, "redactor" | "onWarning"> {
  readonly attempts: Attempts;
}

/** An agent in the engine: opened once for each user, by the first request or the first turn. */
class EngineAgentOf implements EngineAgentSource {
  readonly name: string;
  readonly title: string;
  readonly services: EngineService[];
  readonly #source: EngineAgentSource;
  readonly #client: RestateClient;
  readonly #opened = new Map<string, Promise<Opened>>();

  constructor(source: EngineAgentSource, client: RestateClient, { redactor, attempts, onWarning }: AgentParts) {
    this.name = source.name;
    this.title = source.title;
    const metadata = serviceMetadata(source.title);
    this.#source = source;
    this.#client = client;
    this.services = [
      controllerObject(this.service, metadata),
      sessionObject(this.service, metadata, {
        ...{ redactor, attempts, onWarning },
        open: new OpenSessions(async (key, before) => {
          const found = await client.call(serviceNames(this.service).session, key, "lines", { after: 0, before });
          if (isSessionLines(found)) return found;
          throw new EngineError(`the engine has no lines of session ${key}`);
        }),
        session: async (user, id) => (await this.#of(user)).sessions.hosted(id),
        leave: (user, id) => {
          void this.#opened.get(user ?? "")?.then(
            ({ sessions }) => sessions.leave(id),
            () => {},
          );
        },
        deliver: async (user, id, text) => {
          const { sessions, directory } = await this.#of(user);
          await new EngineSession(id, sessions, directory.agent.session(id)).deliver(text);
        },
      }),
      ...heartbeatObjects(this.service, redactor, async () => {
        const { local, directory } = await this.#of(undefined);
        return hostedHeartbeat(local.agent, directory.agent);
      }),
    ];
  }

  /** Its name in the engine. */
  get service(): string {
    return serviceName(this.name);
  }

  async open(user: string | undefined): Promise<OpenDirectory> {
    const { directory, sessions } = await this.#of(user);
    await sessions.create(directory.session, undefined).catch(unlessItExists);
    // Heartbeats are of the agent, not of each user.
    if (user === undefined) await this.#startHeartbeat(directory);
    return directory;
  }

  async #startHeartbeat({ directory }: OpenDirectory): Promise<void> {
    const { heartbeat, settings } = directory.definition;
    const { schedule, timezone } = settings;
    const tasks = sha256(JSON.stringify([heartbeat, schedule, timezone]));
    await this.#client.call(heartbeatService(this.service), HEARTBEAT, "start", tasks);
  }

  async #of(user: string | undefined): Promise<Opened> {
    const key = user ?? "";
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opening = this.#open(user);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  async #open(user: string | undefined): Promise<Opened> {
    const open = await this.#source.open(user);
    const sessions = new EngineSessions({ client: this.#client, agent: this.service, user, opened: open.agent });
    return { local: open, directory: engineDirectory(open, sessions), sessions };
  }
}

function unlessItExists(error: unknown): void {
  if (!(error instanceof SessionExistsError)) throw error;
}
