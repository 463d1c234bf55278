import { type Agent, SessionInUseError, sessionFree } from "@mdx-ai/runtime";
import { DirectoryError } from "../directory-error.ts";
import { readRunnable } from "../reading/read-directory.ts";
import { Reloader, type ReloadListener } from "../reloading/reloader.ts";
import { type RunPermissions, runPermissions } from "../settings/run-permissions.ts";
import { processSurroundings, type Surroundings } from "../surroundings.ts";
import { type AskTrust, ensureTrust } from "../trust/ensure-trust.ts";
import type { TrustedDirectory } from "../trust/trusted-directory.ts";
import { type AgentRun, discardNewSession, type PlacedRun, placeRun, plainRun } from "./agent-run.ts";
import { type OpenRunOptions, openRun, type RunListeners } from "./open-run.ts";

/** An open agent, with everything that a door to it needs. */
export interface OpenDirectory {
  readonly agent: Agent;
  /** The current state, with its diagnostics; a reload replaces it. */
  readonly directory: TrustedDirectory;
  readonly permissions: RunPermissions;
  /** With sessions, state and logs. Absolute. */
  readonly dataDirectory: string;
  /** The session of prompts that name none. */
  readonly session: string;
  /** Closes the agent. A session that was made for the run goes if nobody has said anything in it. */
  close(): Promise<void>;
}

/** The program that opens a directory and follows its agent. */
export interface Door extends Opener, Omit<RunListeners, "refresh">, Pick<OpenRunOptions, "model" | "isModelless"> {
  /** Receives the results of reloads; without it the agent stays as it was opened. */
  readonly onReload?: ReloadListener;
}

export interface OpenDirectoryOptions extends Partial<Omit<Door, "surroundings">> {
  /** Differences from the variables and the folder of this process. */
  readonly surroundings?: Partial<Surroundings>;
  /** The user's options for the run; none by default. */
  readonly run?: Partial<Omit<AgentRun, "directory">>;
}

/**
 * Opens the agent of a directory: reads it, makes sure that the user trusts it, finds its data and its session, and opens its
 * models. Rejects with `DirectoryError`, or as `openModels`, `openAgent` and `sessionFree` do.
 */
export async function openDirectory(
  path: string,
  { run: said, ...options }: OpenDirectoryOptions = {},
): Promise<OpenDirectory> {
  const surroundings = { ...processSurroundings(), ...options.surroundings };
  const door = { signal: new AbortController().signal, ...options, surroundings };
  const workspace = said?.cwd === undefined ? {} : { workspace: said.cwd };
  const given = { ...plainRun(path, surroundings.currentDirectory), ...workspace, ...said };
  const directory = await readTrusted(given, door);
  const run = placeRun(given, directory, door.surroundings);
  await waitForSession(run, door);
  const open = await openTrusted(run, directory, door);
  try {
    await takeSession(open.agent, run, door);
    return open;
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** The last part of `openDirectory`, for doors that do something else in between. */
export async function openTrusted(
  run: PlacedRun,
  directory: TrustedDirectory,
  { surroundings, signal, askTrust: _askTrust, onReload, ...listeners }: Door,
): Promise<OpenDirectory> {
  const permitted = await runPermissions(run, directory, surroundings);
  const reloader = onReload && new Reloader({ run, directory, surroundings, listener: onReload });
  const refresh = reloader && { refresh: (stop: AbortSignal) => reloader.refresh(stop) };
  const agent = await openRun(run, directory, { ...listeners, ...refresh, surroundings, permitted, signal }).catch(
    (error) => {
      discardNewSession(run);
      throw error;
    },
  );
  return {
    agent,
    get directory() {
      return reloader?.directory ?? directory;
    },
    permissions: permitted,
    dataDirectory: run.data,
    session: run.session ?? "main",
    close: async () => {
      await agent.close();
      discardNewSession(run);
    },
  };
}

/** The program that opens a directory. */
export interface Opener {
  readonly surroundings: Surroundings;
  /** Aborts the current work. */
  readonly signal: AbortSignal;
  /** Absent if nobody can be asked: a directory that is not trusted is then refused. */
  readonly askTrust?: AskTrust | undefined;
}

/**
 * Reads a directory, then makes sure that the user trusts it. Rejects if either fails, and with `DirectoryError` ("interrupted")
 * if the signal has fired.
 */
export async function readTrusted(
  run: Pick<AgentRun, "directory" | "isTrusted">,
  { surroundings, signal, askTrust }: Opener,
): Promise<TrustedDirectory> {
  const directory = await readRunnable(run.directory, surroundings);
  const manifest = await ensureTrust(directory, surroundings, { once: run.isTrusted, signal, ask: askTrust });
  if (signal.aborted) throw new DirectoryError("interrupted");
  return { ...directory, manifest };
}

export interface Waiting {
  /** A note names the process that holds the session, once. */
  readonly surroundings: Pick<Surroundings, "onNotice">;
  readonly signal: AbortSignal;
}

/**
 * Resolves when no other process holds the session of a run that waits for it; for any other run at once.
 * Rejects with `DirectoryError` ("interrupted") if `signal` fires before that, or as `sessionFree` does.
 */
export async function waitForSession(run: PlacedRun, { surroundings, signal }: Waiting): Promise<void> {
  if (!run.isWaiting) return;
  const id = run.session ?? "main";
  const onHolder = (holder: string): void =>
    surroundings.onNotice({ type: "note", text: `session ${id} is in use by ${holder}; waiting until it is free` });
  await sessionFree(run.data, id, { signal, onHolder });
  if (signal.aborted) throw new DirectoryError("interrupted");
}

/** Takes the session of a run that waits for it; if another process was faster, waits again. Rejects as `waitForSession` does. */
export async function takeSession(agent: Agent, run: PlacedRun, waiting: Waiting): Promise<void> {
  while (run.isWaiting) {
    try {
      await agent.session(run.session).messages();
      return;
    } catch (error) {
      if (!(error instanceof SessionInUseError)) throw error;
      await waitForSession(run, waiting);
    }
  }
}
