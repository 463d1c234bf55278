import { join } from "node:path";

/** The folders of a data directory, by their names in it. */
export const DATA_FOLDERS: readonly string[] = ["sessions", "state", "logs"];

/** The paths of the files that people write. All absolute if the directory is. */
export interface SourceLayout {
  readonly definition: string;
  readonly heartbeat: string;
  /** The user's notes for the agent. */
  readonly notes: string;
  readonly lockFile: string;
  readonly skills: string;
  readonly modules: string;
  /** Agents that work as tools. */
  readonly agents: string;
}

/** The paths of the files that the runtime writes. All absolute if the directory is. */
export interface DataLayout {
  /** Holds a folder for each session. */
  readonly sessions: string;
  readonly state: string;
  readonly logs: string;
  /** In `state/`, like all below. */
  readonly agentState: string;
  readonly heartbeatRecord: string;
  /** Held by the process that wakes the agent. */
  readonly heartbeatLock: string;
  /** Holds a file for each module that keeps values. */
  readonly modules: string;
  readonly usage: string;
  /** Holds a data directory for each agent that works as a tool. */
  readonly agents: string;
  readonly memory: string;
  readonly memoryLock: string;
  /** Contains the store of conversations, and the queue of conversations to add. */
  readonly memoryFolder: string;
  /** The store of conversations, a database in `memoryFolder`. */
  readonly memoryStore: string;
}

/** The files of the directory that defines an agent. */
export const sourceLayout = (directory: string): SourceLayout => ({
  definition: join(directory, "agent.mdx"),
  heartbeat: join(directory, "heartbeat.md"),
  notes: join(directory, "AGENT.md"),
  lockFile: join(directory, "agent.lock.json"),
  skills: join(directory, "skills"),
  modules: join(directory, "modules"),
  agents: join(directory, "agents"),
});

/** The files of the directory that holds an agent's sessions, state and logs. */
export function dataLayout(directory: string): DataLayout {
  const state = join(directory, "state");
  return {
    sessions: join(directory, "sessions"),
    state,
    logs: join(directory, "logs"),
    agentState: join(state, "agent-state.json"),
    heartbeatRecord: join(state, "heartbeat.jsonl"),
    heartbeatLock: join(state, "heartbeat.lock"),
    modules: join(state, "modules"),
    usage: join(state, "usage.jsonl"),
    agents: join(state, "agents"),
    memory: join(state, "memory.json"),
    memoryLock: join(state, "memory.lock"),
    memoryFolder: join(state, "memory"),
    memoryStore: join(state, "memory", "memory.db"),
  };
}

/** The folder with the versions of an added agent, each named by a SHA-256. */
export const VERSIONS_FOLDER = "versions";

const VERSION_NAMES = `[/\\\\]${VERSIONS_FOLDER}[/\\\\][0-9a-f]{64}`;

const VERSION: RegExp = new RegExp(`${VERSION_NAMES}$`);

const WITHIN_VERSION: RegExp = new RegExp(`^(.+)${VERSION_NAMES}(?=$|[/\\\\])`);

/** Whether a path may be a version of an added agent, by its names. */
export const namesVersion = (path: string): boolean => VERSION.test(path);

/**
 * The path by which an agent's data and its user's decisions are kept, from the real path of its directory: the same for all versions of
 * an added agent, which are folders beside each other; for any other directory its real path.
 */
export const agentIdentity = (realPath: string): string => realPath.replace(WITHIN_VERSION, "$1");
