import { isAbsolute } from "node:path";
import {
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  RequestError,
  type SessionInfo,
} from "@agentclientprotocol/sdk";
import { defined, errorMessage, looksSecret } from "@mdx-ai/base";
import { realPathOrSame } from "@mdx-ai/base/disk";
import {
  dataOfRun,
  type FrontEnd,
  joinRepository,
  NEW_SESSION,
  type OpenDirectory,
  openRun,
  type PreparedRun,
  prepareRun,
  type ReadDirectory,
  type RunOptions,
  readRepositoryParts,
  readRunnable,
  readTrusted,
  repositoryTrust,
  resolveModels,
  type SharedAgent,
  unattendedReload,
  workspaceOf,
} from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { NoModelError } from "@mdx-ai/models";
import type { DeclaredServer } from "@mdx-ai/runtime";
import { discardUnused, fileStore, idRefusal, type SessionSummary } from "@mdx-ai/sessions";
import { authRequired, invalidParams } from "./acp-errors.ts";
import { AcpSession, type EarlierChoices } from "./acp-session.ts";
import { clientEditor } from "./client-editor.ts";
import { clientServers } from "./client-servers.ts";
import type { Editor } from "./editor.ts";

export interface AcpSessionsParts {
  /** As in `AcpOptions`. */
  readonly run: Omit<RunOptions, "directory">;
  readonly agent: () => Promise<string>;
  readonly frontEnd: FrontEnd;
  readonly editor: Editor;
  /** As in `AcpOptions`. */
  readonly shared?: SharedAgent;
  /** Aborts what opens a session. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** Where a session works, and what the client gives it. */
export interface SessionPlace {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** The most sessions of one page of a list. */
const PAGE = 100;

/** The sessions of an agent, and those that the client has open. */
export class AcpSessions {
  readonly #parts: AcpSessionsParts;
  readonly #open = new Map<string, AcpSession>();
  /** The sessions that began here: without a prompt they leave nothing. */
  readonly #begun = new Set<string>();

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
  async reopen(id: string, place: SessionPlace): Promise<AcpSession> {
    const open = this.#open.get(id);
    await open?.end();
    this.#open.delete(id);
    return this.#opened({ session: id, isExisting: true }, place, open?.choices ?? {});
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

  /** Cancels what runs in an open session and closes it. Throws a `RequestError` if it is not open. */
  async close(id: string): Promise<void> {
    const session = this.get(id);
    this.#open.delete(id);
    await session.end();
    this.#left(session);
  }

  /** Deletes a session, open or not; does nothing if there is none. Rejects with `SessionInUseError`. */
  async delete(id: string): Promise<void> {
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

  /** `earlier` is what was chosen in a session that existed. */
  async #opened(
    chosen: Pick<RunOptions, "session" | "isExisting">,
    place: SessionPlace,
    earlier?: EarlierChoices,
  ): Promise<AcpSession> {
    const { frontEnd, editor, shared, signal, onWarning } = this.#parts;
    const cwd = absolute(place.cwd, "cwd");
    const additionalDirectories = (place.additionalDirectories ?? []).map((path) => absolute(path, "a directory"));
    const run = {
      ...(await this.#run()),
      ...(shared === undefined && chosen),
      cwd,
      workspace: cwd,
      additionalDirectories,
      ...PATIENT,
    };
    const joined = await withRepository(run, await readTrusted(run, { frontEnd, signal }), frontEnd);
    const servers = clientServers(place.mcpServers ?? [], cwd);
    if (shared !== undefined && servers.length > 0)
      onWarning("the workers run the agent, without the editor's MCP servers");
    frontEnd.onSecrets(secretsOf(servers));
    const prepared = inEditor(await prepareRun(joined.options, joined.directory, frontEnd), servers);
    let session: AcpSession | undefined;
    const warn = (message: string): void => (session === undefined ? onWarning(message) : void session.notice(message));
    const clientParts = clientEditor(editor, {
      sessionId: prepared.session ?? "main",
      hasTerminals: prepared.settings.sandbox?.mode === "off",
      showTerminal: async (callId, terminalId) => session?.showTerminal(callId, terminalId),
    });
    const local = await openRun(prepared, {
      ...{ signal, onWarning: warn, wakes: false, editor: clientParts },
      // A reload adds them again.
      frontEnd: { ...frontEnd, moreSkills: joined.moreSkills },
      onSignIn: () => {},
      onReload: unattendedReload({ ...run, say: warn, onReloaded: () => session?.reloaded() }),
    });
    const id = chosen.session === NEW_SESSION ? undefined : chosen.session;
    const open = shared === undefined ? local : await withSharedSessions(shared, local, id);
    const parts = { open, run, frontEnd, editor, folder: prepared.folder, onWarning };
    session = new AcpSession({ ...parts, ...defined({ earlier }) });
    this.#open.set(session.id, session);
    return session;
  }
}

/** A local agent with sessions that others run. Closes it if that fails. */
async function withSharedSessions(
  shared: SharedAgent,
  local: OpenDirectory,
  id: string | undefined,
): Promise<OpenDirectory> {
  try {
    return await shared.open(local, id);
  } catch (error) {
    await local.close();
    throw error;
  }
}

/** A run with what the repository of its workspace holds for agents, if the user has agreed to its current state. */
async function withRepository(options: RunOptions, directory: ReadDirectory, frontEnd: FrontEnd) {
  const workspace = workspaceOf(options, directory);
  const parts = workspace && (await readRepositoryParts(workspace.real, frontEnd));
  const isAgreed = parts !== undefined && repositoryTrust(parts, frontEnd).answer === "yes";
  if (!isAgreed) return { options, directory, moreSkills: [] };
  return { ...joinRepository({ options, directory }, parts), moreSkills: parts.skills };
}

/** A question waits for the editor, `mdx-ai answer` or the end of its prompt. */
const PATIENT = { answersWithin: Number.POSITIVE_INFINITY } as const;

/** A run with the client's servers before the user's others, that asks where a terminal would. */
function inEditor({ settings, ...run }: PreparedRun, servers: readonly DeclaredServer[]): PreparedRun {
  const { permissions, servers: others = [] } = settings;
  return {
    ...run,
    settings: {
      ...settings,
      permissions: { ...permissions, usualMode: permissions?.usualMode ?? "ask" },
      servers: [...servers, ...others],
    },
  };
}

/** The values of variables and headers that a client gives to its servers and that look secret. */
const secretsOf = (servers: readonly DeclaredServer[]): readonly string[] =>
  servers.flatMap(({ definition: { env = {}, headers = {} } }) =>
    Object.entries({ ...env, ...headers }).flatMap(([name, value]) => (looksSecret(name, value) ? [value] : [])),
  );

/** Throws a `RequestError`. */
function absolute(path: string, name: string): string {
  if (isAbsolute(path)) return path;
  throw invalidParams(`${name} must be an absolute path, but got ${JSON.stringify(path)}`);
}

const infoOf = ({ id, workspace, title, lastUsed }: SessionSummary, agentDir: string): SessionInfo => ({
  sessionId: id,
  cwd: workspace ?? agentDir,
  title: plainLine(title),
  ...(lastUsed !== undefined && { updatedAt: new Date(lastUsed).toISOString() }),
});
