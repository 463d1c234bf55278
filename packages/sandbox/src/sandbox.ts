import { realpathSync } from "node:fs";
import { errorMessage, systemErrorText } from "@mdx-ai/base";
import type { AgentSettings, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import type {
  CommandSandbox,
  SandboxFactory,
  SandboxOptions,
  SandboxPolicy,
  SandboxRequest,
  ShellNetwork,
} from "./command-sandbox.ts";
import type { SandboxCredential } from "./credentials/sandbox-credential.ts";
import { type Container, findContainer, withoutContainer } from "./find-container.ts";
import { CLOSED, isShortage, SandboxFailedError, SandboxStartError } from "./sandbox-errors.ts";
import type { SandboxLists } from "./sandbox-lists.ts";
import type { SandboxKind } from "./types/sandbox.ts";

/** Whether an agent's programs are sandboxed, and if not, why. */
export type Containment =
  | ({ readonly contained: true } & Pick<SandboxKind, "program">)
  /** A line without a full stop. */
  | { readonly contained: false; readonly why: string };

const UNTESTED = "the macOS sandbox is not tested: you are asked about commands as without a sandbox";

/** The settings require a sandbox, and this system cannot provide one. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";

  /** `why` is a line without a full stop. */
  constructor(why: string) {
    super(`the sandbox is required, but not available: ${why}; --sandbox off runs without one`);
  }
}

/** A tool reads a key that it cannot use. The message is a line without a full stop. */
class KeyUnusableError extends Error {
  override readonly name = "KeyUnusableError";
}

/**
 * Combines the settings of the user and of the directory, which can only narrow them. Without a setting of the user, a directory
 * may turn the sandbox on, but not off. Only the user can show more files or make more writable.
 */
export function sandboxPolicy(user: SandboxSettings | undefined, directory: AgentSettings["sandbox"]): SandboxPolicy {
  const asked = typeof directory === "string" ? { mode: directory } : (directory ?? {});
  return {
    mode: modeOf(user?.mode, asked.mode),
    network: networkOf(user?.network, asked.network),
    read: user?.read ?? [],
    write: user?.write ?? [],
  };
}

function modeOf(user: SandboxMode | undefined, directory: SandboxMode | undefined): SandboxMode {
  if (user === "off" || user === "required") return user;
  return directory === "required" ? "required" : "auto";
}

function networkOf(user: SandboxSettings["network"], directory: SandboxSettings["network"]): ShellNetwork {
  if (user === undefined) return directory ?? "none";
  if (directory === undefined || directory === "all") return user;
  if (user === "all") return directory;
  return directory.filter((host) => user.includes(host));
}

/** The options of a sandbox, which finds the paths to hide and protect when the first command runs. */
interface LazyOptions extends Omit<SandboxOptions, "lists"> {
  readonly lists: () => SandboxLists;
}

/** Sandboxes an agent's programs, if the system can and the user wants it. */
export class Sandbox {
  readonly #options: LazyOptions;
  /** Undefined before the first lookup. */
  #found: { readonly container: Container | undefined } | undefined;
  #state: Promise<Containment> | undefined;
  #factory: Promise<SandboxFactory> | undefined;
  #closed: Promise<void> | undefined;

  /** Starts nothing before it is needed. */
  constructor(options: LazyOptions) {
    const { policy, toolNetwork } = options;
    const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
    this.#options = { ...options, policy: { ...policy, mode } };
  }

  get mode(): SandboxMode {
    return this.#options.policy.mode;
  }

  get #container(): Container | undefined {
    this.#found ??= { container: this.mode === "off" ? undefined : findContainer(this.#options) };
    return this.#found.container;
  }

  /** The keys of its commands and tools. */
  get credentials(): readonly Pick<SandboxCredential, "host" | "variable">[] {
    return this.#options.credentials ?? [];
  }

  /** Why a program without a sandbox does not get a key that its text names; undefined if it names none. A line without a full stop. */
  missingKey(text: string): string | undefined {
    const named = this.credentials.find(({ variable }) => text.includes(variable));
    if (named === undefined) return undefined;
    return `the key for ${named.host} (${named.variable}) is used in the sandbox only: run it there, for which bubblewrap must be installed and --sandbox not off, or take the host out of \`credentials\` in your settings.yaml`;
  }

  /** Determined on the first call. Never rejects. */
  state(): Promise<Containment> {
    this.#state ??= this.#find();
    return this.#state;
  }

  /** Rejects with `SandboxMissingError` if a sandbox is required but not available. */
  async ready(): Promise<void> {
    if (this.mode !== "required") return;
    const state = await this.state();
    if (!state.contained) throw new SandboxMissingError(state.why);
  }

  /**
   * Prepares a sandbox for one command; undefined if commands run without one. Rejects with `SandboxMissingError`,
   * `SandboxFailedError`, `SandboxStartError` once it is closed, or the system's error.
   */
  async contain(request: SandboxRequest): Promise<CommandSandbox | undefined> {
    this.#requireOpen();
    try {
      return await this.#contain(request);
    } catch (error) {
      throw isShortage(error) || systemErrorText(error) !== undefined ? new SandboxFailedError(error) : error;
    }
  }

  /** Prepares for a shell command that is expected soon. Never rejects. */
  async expect(): Promise<void> {
    const factory = await this.factory().catch(() => undefined);
    await factory?.expect();
  }

  /** The factory of the sandboxes; undefined if commands run without one. Rejects as `contain` does. */
  async factory(): Promise<SandboxFactory | undefined> {
    this.#requireOpen();
    const { contained } = await this.state();
    return contained && this.#container !== undefined ? this.#open(this.#container) : undefined;
  }

  /** Call this when all commands have ended; no command starts any more. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // A running trial may still open the factory.
    await this.#state;
    await this.#factory?.then(
      (opened) => opened.close(),
      () => {},
    );
  }

  /** Throws `SandboxStartError`. */
  #requireOpen(): void {
    if (this.#closed !== undefined) throw new SandboxStartError(CLOSED);
  }

  async #contain(request: SandboxRequest): Promise<CommandSandbox | undefined> {
    const state = this.state();
    // Made while the trial runs. No command starts in it before the trial has succeeded.
    const containing = this.#factory?.then((factory) => factory.contain(request));
    containing?.catch(() => {});
    const { contained, ...found } = await state;
    const { purpose } = request;
    const hasKeys = "program" in found && found.program === "bubblewrap";
    if (!hasKeys && typeof purpose !== "string") this.#requireNoKey(purpose);
    if (contained) return containing ?? (await this.factory())?.contain(request);
    await containing?.then(
      ({ release }) => release(),
      () => {},
    );
    // A caller that did not wait for `ready` must not run a command without a sandbox either.
    await this.ready();
    return undefined;
  }

  /** A tool that expects a key would fail with an error that does not say why. Throws `KeyUnusableError`. */
  #requireNoKey({ code, environment }: Exclude<SandboxRequest["purpose"], string>): void {
    const problem = this.missingKey([code.text, ...environment].join("\n"));
    if (problem !== undefined) throw new KeyUnusableError(problem);
  }

  async #find(): Promise<Containment> {
    const { policy, onWarning } = this.#options;
    if (policy.mode === "off") return { contained: false, why: "the sandbox is turned off" };
    const state = await this.#probe();
    if (!state.contained && policy.mode === "auto") {
      const hosts = this.credentials.map(({ host }) => host).join(", ");
      const meaning = hosts === "" ? MEANING : `${MEANING}; no key is sent to ${hosts}`;
      onWarning?.(`the shell and the tools of agent.mdx are not contained: ${state.why}; ${meaning}`);
    }
    if (state.contained && state.program === "sandbox-exec") onWarning?.(UNTESTED);
    return state;
  }

  async #probe(): Promise<Containment> {
    const container = this.#container;
    if (container === undefined) return { contained: false, why: withoutContainer(this.#options) };
    if (realpathSync(this.#options.agentDir) === "/") {
      return { contained: false, why: "the agent's directory is the whole file system" };
    }
    const { program } = container;
    const contained = { contained: true, program } as const;
    try {
      const factory = await this.#open(container);
      const problem = await factory.trial();
      return problem === undefined
        ? contained
        : { contained: false, why: `the sandbox does not work here: ${problem}` };
    } catch (error) {
      // The commands fail with the reason.
      if (isShortage(error)) return contained;
      return { contained: false, why: `${program} does not work here: ${errorMessage(error)}` };
    }
  }

  #open(container: Container): Promise<SandboxFactory> {
    const { lists, ...options } = this.#options;
    const opening = this.#factory ?? openSandboxFactory({ ...options, lists: lists() }, container);
    this.#factory = opening;
    // The next command tries again.
    opening.catch(() => {
      if (this.#factory === opening) this.#factory = undefined;
    });
    return opening;
  }
}

/** Loaded when the first command runs. */
async function openSandboxFactory(options: SandboxOptions, container: Container): Promise<SandboxFactory> {
  if (container.program === "sandbox-exec") {
    const { MacosSandboxFactory } = await import("./macos.ts");
    return new MacosSandboxFactory(options);
  }
  const { openSandboxFactory: open } = await import("./sandbox-factory.ts");
  return open(options, container.programs);
}

/** The consequence of running without a sandbox. */
const MEANING = "a command runs only if you or a rule allow it, and tools have your access";
