import { watch } from "node:fs";
import { attempt, dataLayout, type Environment, isNeededVariable, looksSecret } from "@mdx-ai/base";
import { Reaper } from "@mdx-ai/mcp/reaper";
import type { Sandbox, SandboxRequest } from "@mdx-ai/sandbox";
import { HostChild } from "./host-child.ts";

/** The most idle processes that are kept; each takes about 3 MB. */
const IDLE_LIMIT = 16;

/**
 * How long a sandboxed process waits for its next call, in milliseconds; its sandbox keeps placeholders in the agent directory
 * meanwhile.
 */
const IDLE_MILLISECONDS = 5_000;

export interface ChildPoolOptions {
  /** Starts a process that runs `runToolHostProcess`. */
  readonly command: readonly string[];
  /** Absolute. */
  readonly agentDir: string;
  /** The working directory of the processes. Absolute. */
  readonly cwd: string;
  /** The user's environment variables; a tool gets the few that programs need, and the ones that its `env` names. */
  readonly environment: Environment;
  /** The sandbox of the processes; without it, they run without one. */
  readonly sandbox?: Sandbox | undefined;
  /** How long a sandboxed process waits for its next call, in milliseconds. Default: 5,000. */
  readonly idleMilliseconds?: number | undefined;
}

/** The options of a process. */
export interface ChildKind {
  /** Calls with the same key reuse a process. */
  readonly key: string;
  /** Names of the variables that it gets. */
  readonly environment: readonly string[];
  readonly purpose: SandboxRequest["purpose"];
}

interface IdleChild {
  readonly kind: ChildKind;
  readonly child: HostChild;
  /** Whether it has served a call: only then it is replaced when it loses its protection. */
  readonly hasServed: boolean;
  readonly expiry: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Tool host processes, each for one tool in one session: state that a tool leaves in its process does not affect other tools or
 * sessions.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #reaper: Reaper;
  readonly #all = new Set<HostChild>();
  readonly #starting = new Set<Promise<HostChild>>();
  /** The longest idle process comes first. */
  #idle: readonly IdleChild[] = [];
  #stopWatching: (() => void) | undefined;
  #closed = false;

  constructor(options: ChildPoolOptions) {
    this.#options = options;
    this.#reaper = new Reaper({ name: `tool host of ${options.agentDir}` });
  }

  /** An idle process of this kind, or a new one. Rejects with the system's error. */
  async take(kind: ChildKind): Promise<HostChild> {
    this.#dropUnusable();
    const idle = this.#idle.findLast((entry) => entry.kind.key === kind.key);
    this.#idle = this.#idle.filter((entry) => entry !== idle);
    clearTimeout(idle?.expiry);
    return idle?.child ?? this.#start(kind);
  }

  /** Keeps a process for the next call of its kind. */
  give(kind: ChildKind, child: HostChild, hasServed = true): void {
    const { idleMilliseconds = IDLE_MILLISECONDS } = this.#options;
    const expiry = child.contained ? setTimeout(() => child.kill(), idleMilliseconds) : undefined;
    expiry?.unref();
    this.#idle = [...this.#idle, { kind, child, hasServed, expiry }];
    this.#dropUnusable();
    if (this.#idle.length <= IDLE_LIMIT) return;
    this.#idle[0]?.child.kill();
    this.#idle = this.#idle.slice(1);
  }

  /** Kills all processes and waits for their end. Never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    // A process that is starting is killed as soon as it has started: none may outlive this call.
    await Promise.allSettled(this.#starting);
    this.#stopWatching?.();
    const all = [...this.#all];
    for (const child of all) child.kill();
    await Promise.all(all.map((child) => child.ended));
    await this.#reaper.close();
  }

  /** Kills the idle processes that are no longer usable, and returns them. */
  #dropUnusable(): readonly IdleChild[] {
    const unusable = this.#idle.filter(({ child }) => !child.usable);
    this.#idle = this.#idle.filter((entry) => !unusable.includes(entry));
    for (const { child } of unusable) child.kill();
    return unusable;
  }

  /**
   * Replaces idle processes whose sandbox no longer protects every file, so that they cannot exploit it and the next call need
   * not wait.
   */
  async #renew(): Promise<void> {
    const served = this.#dropUnusable().filter(({ hasServed }) => hasServed);
    const kinds = new Map(served.map(({ kind }) => [kind.key, kind]));
    for (const kind of kinds.values()) {
      if (this.#closed) return;
      const child = await this.#start(kind).catch(() => undefined);
      if (child) this.give(kind, child, false);
    }
  }

  #start(kind: ChildKind): Promise<HostChild> {
    const starting = this.#startNow(kind);
    const forget = (): void => void this.#starting.delete(starting);
    this.#starting.add(starting);
    starting.then(forget, forget);
    return starting;
  }

  async #startNow({ environment, purpose }: ChildKind): Promise<HostChild> {
    const { command, cwd, sandbox, agentDir } = this.#options;
    const commandSandbox = await sandbox?.contain({ purpose });
    if (commandSandbox) this.#stopWatching ??= watchChanges(agentDir, () => void this.#renew());
    try {
      const child = await HostChild.start({
        command,
        cwd,
        environment: hostEnvironment(this.#options.environment, environment),
        reaper: this.#reaper,
        commandSandbox,
      });
      this.#all.add(child);
      void child.ended.then(() => this.#remove(child));
      return child;
    } catch (error) {
      commandSandbox?.release();
      throw error;
    }
  }

  #remove(child: HostChild): void {
    this.#all.delete(child);
    this.#idle = this.#idle.filter((entry) => entry.child !== child);
  }
}

/** How long changes are collected before they are reported, in milliseconds. */
const COLLECT_MILLISECONDS = 20;

/**
 * Reports that files were created, removed or replaced in an agent directory or its state/, which existing mounts do not protect,
 * until the returned function is called. Reports nothing if the system cannot watch files; then a process is replaced at its next
 * call.
 */
function watchChanges(agentDir: string, onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChange();
    }, COLLECT_MILLISECONDS).unref();
  };
  const watchers = [agentDir, dataLayout(agentDir).state].flatMap((folder) => {
    const found = attempt(() => watch(folder, { persistent: false }, (type) => type === "rename" && report()));
    return found?.on("error", () => found.close()) ?? [];
  });
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

const RUNTIME_SETTINGS = {
  // A tool that runs out of memory crashes the process, which is not a bug to report.
  BUN_ENABLE_CRASH_REPORTING: "0",
  // Other users could put code there that runs instead of the transpiled code.
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  // By default the compiler reserves a gigabyte, which the memory limit refuses; then all code would be interpreted, about twenty
  // times slower.
  BUN_JSC_jitMemoryReservationSize: "67108864",
} as const;

/**
 * The variables of a tool host process: the few that most programs need, unless they contain a secret (such as a proxy's
 * password), and the ones that the tool names.
 */
function hostEnvironment(environment: Environment, named: readonly string[]): Record<string, string> {
  const passed = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && (named.includes(name) || (isNeededVariable(name) && !looksSecret(name, value)))
      ? [[name, value]]
      : [],
  );
  return { ...Object.fromEntries(passed), ...RUNTIME_SETTINGS };
}
