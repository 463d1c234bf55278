import { isAbsolute } from "node:path";
import { type Environment, once } from "@mdx-ai/base";
import { realPathOrSame, resolveRealPath, systemHome } from "@mdx-ai/base/disk";
import type { AskApproval, NamedTool, ToolAccess, UserPermissions } from "@mdx-ai/loop";
import { PERMISSION_MODES, type PermissionMode, type PermissionSettings } from "@mdx-ai/parser";
import { Approvals } from "./approvals.ts";
import type { PatternRoots } from "./patterns.ts";
import { type CallRules, callRules, type RuleLayers, ruleLayers } from "./rules.ts";
import { secretPaths } from "./secret-paths.ts";

/** The permissions of an agent directory, and the facts about its files and tools. */
export interface DirectoryPermissions {
  /** The rules of the directory; the user's settings override them. */
  readonly settings?: PermissionSettings | undefined;
  /** The widest mode that the directory asks for. */
  readonly mode?: PermissionMode | undefined;
  /** Files of the agent that trust covers, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Holds the agent's sessions, state and logs; the agent directory if absent. Absolute. */
  readonly dataDir?: string | undefined;
  /** Folders outside the agent directory with its skills, which may be read. Absolute. */
  readonly skillFolders?: readonly string[] | undefined;
  /** Whether commands never run without a sandbox, even if the user answers yes. */
  readonly sandboxRequired?: boolean | undefined;
  /** The hash of a tool's code; undefined for a builtin. Not called for tools of servers. */
  codeHashOf?(tool: NamedTool): string | undefined;
  /** Whether the commands of a tool run in a sandbox; called for tools that declare a command. Default: false. */
  isShellSandboxed?(tool: NamedTool): Promise<boolean>;
  /** Whether the user's settings list a host for tools. Default: false. */
  isHostListed?(host: string): boolean;
  /** The limits that a tool declares, such as `network="none"`, that no sandbox enforces. Default: undefined. */
  unenforcedLimits?(tool: NamedTool): Promise<string | undefined>;
}

/** The permissions of the agent that another one works for as a tool. */
export interface ParentPermissions {
  /** The current ones. */
  readonly permissions: Permissions;
  /** The key of the parent's session that called for the session with this key; "" if none did. */
  keyOf(sessionKey: string): string;
}

/** The input of the decisions about an agent's calls. */
export interface PermissionsOptions extends DirectoryPermissions {
  /** Absolute. */
  readonly agentDir: string;
  /** The user's working directory. Absolute. */
  readonly cwd: string;
  /** The folder where tools work, if it is not the agent directory. Absolute. */
  readonly workspace?: string | undefined;
  /** More folders that count as the workspace, but whose repository does not. Absolute. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /**
   * The folder of the repository that contains the workspace; its files may be read as well. Absolute and real. Default:
   * undefined.
   */
  repository?(workspace: string): string | undefined;
  /** The user's environment variables, which locate the home folder and mdx-ai's files. */
  readonly environment: Environment;
  readonly user?: UserPermissions | undefined;
  /** Asks the user. Without it, calls that need an approval are denied. */
  readonly onApproval?: AskApproval | undefined;
  /** As `AgentOptions.answersWithin`. */
  readonly answersWithin?: number | undefined;
  /** The folder that keeps approvals for later processes. Absolute. Without it, they last as long as this object. */
  readonly approvalsDirectory?: string | undefined;
  /** The agent that this one works for: nothing is allowed beyond its permissions. */
  readonly parent?: ParentPermissions | undefined;
  /** Redacts the text of approvals for people. Default: leaves it unchanged. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Receives one line if approvals cannot be written or trusted. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The folders and files that paths of calls are compared with. All absolute and real. */
export interface PathContext extends PatternRoots {
  /** Folders and files that hold secrets, in lower case. */
  readonly secrets: readonly string[];
  /** Files of the agent that trust covers, relative to its directory, in lower case. */
  readonly definingFiles: ReadonlySet<string>;
  /** Folders outside the agent directory with its skills. */
  readonly skillFolders: readonly string[];
  /** More folders that count as the workspace. */
  readonly additionalDirectories: readonly string[];
  /** The folder of the repository that contains the workspace; it may be read. */
  readonly repository?: string | undefined;
  /** Holds the agent's sessions, state and logs. */
  readonly dataDir: string;
}

/** The rules and approvals that the gates of an agent share. */
export class Permissions {
  readonly options: PermissionsOptions;
  readonly #shared: Shared;
  readonly #rules: RuleLayers;
  readonly #callRules = new Map<string, CallRules>();
  readonly #definingFiles: ReadonlySet<string>;
  readonly #skillFolders: readonly string[];

  /** Does not read the disk before the first call. Throws `MalformedPermissionError`. */
  constructor(options: PermissionsOptions, shared: Shared = sharedParts(options)) {
    this.options = options;
    this.#shared = shared;
    this.#definingFiles = new Set(options.definingFiles?.map((path) => path.toLowerCase()));
    this.#skillFolders = (options.skillFolders ?? []).map((folder) => realPathOrSame(folder));
    this.#rules = ruleLayers(options.settings ?? {}, options.user ?? {}, () => this.places());
  }

  /** New permissions after a change of the directory, with the same approvals. Throws as the constructor does. */
  after(directory: DirectoryPermissions): Permissions {
    return new Permissions({ ...this.options, codeHashOf: () => undefined, ...directory }, this.#shared);
  }

  get approvals(): Approvals {
    return this.#shared.approvals();
  }

  /** The rules for the calls of a tool that declare this kind of access. */
  rulesFor(toolName: string, kind: ToolAccess["kind"]): CallRules {
    const key = `${kind} ${toolName}`;
    const known = this.#callRules.get(key);
    if (known) return known;
    const rules = callRules(this.#rules, toolName, kind);
    this.#callRules.set(key, rules);
    return rules;
  }

  places(): PathContext {
    return { ...this.#shared.places(), definingFiles: this.#definingFiles, skillFolders: this.#skillFolders };
  }

  /** Whether questions can be answered, here or by another process. */
  get canAsk(): boolean {
    const { parent, onApproval, answersWithin } = this.options;
    return parent === undefined ? onApproval !== undefined || answersWithin !== undefined : parent.permissions.canAsk;
  }

  /** The mode for calls that match no rule, in a session whose edits the user has not allowed. */
  get mode(): PermissionMode {
    const { user, onApproval, mode, parent } = this.options;
    if (parent !== undefined) return stricterMode(parent.permissions.mode, mode);
    const chosen = this.#shared.mode.chosen ?? user?.mode;
    return chosen ?? stricterMode(user?.usualMode ?? (onApproval === undefined ? "edits" : "ask"), mode);
  }

  /** The mode of one session, in which the user may have allowed all edits. */
  modeOf(sessionKey: string): PermissionMode {
    const { mode } = this;
    const { parent } = this.options;
    if (parent !== undefined) {
      return stricterMode(parent.permissions.modeOf(parent.keyOf(sessionKey)), this.options.mode);
    }
    return mode === "ask" && this.#shared.editing.has(sessionKey) ? "edits" : mode;
  }

  /** Sets the mode that the user chose for all sessions; it overrides the directory's. */
  chooseMode(mode: PermissionMode): void {
    this.#shared.mode.chosen = mode;
    this.#shared.editing.clear();
  }

  /** Allows all edits of one session until a mode is chosen. */
  allowEdits(sessionKey: string): void {
    const { parent } = this.options;
    if (parent === undefined) this.#shared.editing.add(sessionKey);
    else parent.permissions.allowEdits(parent.keyOf(sessionKey));
  }
}

/** The state that stays when the directory changes. */
interface Shared {
  approvals(): Approvals;
  places(): Omit<PathContext, "definingFiles" | "skillFolders">;
  /** By the keys of the sessions. */
  /** The mode that the user chose while the agent is open. */
  readonly mode: { chosen?: PermissionMode };
  /** The keys of sessions in which the user allows all edits. */
  readonly editing: Set<string>;
}

const stricterMode = (one: PermissionMode, other: PermissionMode = one): PermissionMode =>
  PERMISSION_MODES.find((mode) => mode === one || mode === other) ?? one;

function sharedParts(options: PermissionsOptions): Shared {
  const {
    agentDir,
    cwd,
    dataDir = agentDir,
    environment,
    approvalsDirectory: directory,
    redact,
    onWarning = () => {},
  } = options;
  const places = once(() => ({
    agentDir: resolveRealPath(agentDir),
    cwd: resolveRealPath(cwd),
    ...workspacePathsOf(options),
    additionalDirectories: (options.additionalDirectories ?? []).map((path) => resolveRealPath(path)),
    dataDir: realPathOrSame(dataDir),
    home: homeOf(environment),
    secrets: secretPaths(environment).map((path) => path.toLowerCase()),
  }));
  return {
    places,
    approvals: once(() => new Approvals({ agentDir: places().agentDir, directory, redact, onWarning })),
    mode: {},
    editing: new Set(),
  };
}

/** The agent directory does not count as a workspace. */
function workspacePathsOf(options: PermissionsOptions): Pick<PathContext, "workspace" | "repository"> {
  const { workspace, agentDir } = options;
  const place = workspace === undefined ? undefined : resolveRealPath(workspace);
  if (place === undefined || place === resolveRealPath(agentDir)) return {};
  return { workspace: place, repository: options.repository?.(place) };
}

function homeOf(environment: Environment): string | undefined {
  const home = environment["HOME"] || environment["USERPROFILE"] || systemHome();
  return home !== undefined && isAbsolute(home) ? resolveRealPath(home) : undefined;
}
