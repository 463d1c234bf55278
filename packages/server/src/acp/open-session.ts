import { isAbsolute } from "node:path";
import type { McpServer } from "@agentclientprotocol/sdk";
import { defined, looksSecret } from "@mdx-ai/base";
import {
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
  readTrusted,
  repositoryTrust,
  type SharedAgent,
  unattendedReload,
  workspaceOf,
} from "@mdx-ai/directory";
import type { DeclaredServer } from "@mdx-ai/runtime";
import { invalidParams } from "./acp-errors.ts";
import { AcpSession, type EarlierChoices } from "./acp-session.ts";
import { clientEditor } from "./client-editor.ts";
import { clientServers } from "./client-servers.ts";
import type { Editor } from "./editor.ts";

/** Where a session works, and what the client gives it. */
export interface SessionPlace {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly mcpServers?: readonly McpServer[];
}

/** What all sessions of a client have in common. */
export interface SessionParts {
  /** The user's options for the agent. */
  readonly run: RunOptions;
  readonly frontEnd: FrontEnd;
  readonly editor: Editor;
  /** As in `AcpOptions`. */
  readonly shared?: SharedAgent;
  /** Aborts what opens the session. */
  readonly signal: AbortSignal;
  readonly onWarning: (message: string) => void;
}

/** Which session is opened. */
export type ChosenSession = Pick<RunOptions, "session" | "isExisting">;

interface Opening {
  readonly chosen: ChosenSession;
  readonly place: SessionPlace;
  /** What was chosen in a session that existed. */
  readonly earlier?: EarlierChoices;
}

/** Opens an agent of its own for a session, in the client's folder. Rejects as `openRun` and what it needs do. */
export async function openAcpSession(parts: SessionParts, { chosen, place, earlier }: Opening): Promise<AcpSession> {
  const { frontEnd, editor, shared, signal, onWarning } = parts;
  const cwd = absolute(place.cwd, "cwd");
  const additionalDirectories = (place.additionalDirectories ?? []).map((path) => absolute(path, "a directory"));
  const run = {
    ...parts.run,
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
  session = new AcpSession({
    ...{ open, run, frontEnd, editor, folder: prepared.folder, onWarning },
    ...defined({ earlier }),
  });
  return session;
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

/** An absolute path of the client. Throws a `RequestError`. */
export function absolute(path: string, name: string): string {
  if (isAbsolute(path)) return path;
  throw invalidParams(`${name} must be an absolute path, but got ${JSON.stringify(path)}`);
}
