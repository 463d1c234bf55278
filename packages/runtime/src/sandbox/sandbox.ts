import { realpathSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import type { AgentSettings, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import { errorMessage } from "../error-message.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions, SandboxPolicy, ShellNetwork } from "./enclosure.ts";
import type { SandboxPrograms } from "./holder.ts";
import type { SandboxParts } from "./sandbox-parts.ts";

/** Whether what an agent runs is contained, and if not, why. */
export type Containment =
  | { readonly contained: true }
  /** A line without a full stop. */
  | { readonly contained: false; readonly why: string };

/** The settings require a sandbox, and this system cannot provide one. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";

  /** `why` is a line without a full stop. */
  constructor(why: string) {
    super(`the sandbox is required, but not available: ${why}`);
  }
}

/**
 * Combines the settings of the user and of the directory, which can only narrow them: if the user has no setting, a directory
 * may ask for containment, but not turn it off.
 */
export function sandboxPolicy(user: SandboxSettings | undefined, directory: AgentSettings["sandbox"]): SandboxPolicy {
  const asked = typeof directory === "string" ? { mode: directory } : (directory ?? {});
  return { mode: modeOf(user?.mode, asked.mode), network: networkOf(user?.network, asked.network) };
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

/** Contains what an agent runs, if the system can and the user wants it. */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #programs: SandboxPrograms | undefined;
  #state: Promise<Containment> | undefined;
  #parts: SandboxParts | undefined;

  /** Nothing is started before it is needed. */
  constructor(options: SandboxOptions) {
    const { policy, toolNetwork, environment } = options;
    const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
    this.#options = { ...options, policy: { ...policy, mode } };
    this.#programs = mode === "off" ? undefined : findPrograms(environment);
    // Known without a probe, so the warning comes before anything runs.
    if (this.#programs === undefined) void this.state();
  }

  /** Found out at the first call. Never rejects. */
  state(): Promise<Containment> {
    this.#state ??= this.#find();
    return this.#state;
  }

  /** Rejects with `SandboxMissingError` if containment is required but not available. */
  async ready(): Promise<void> {
    if (this.#options.policy.mode !== "required") return;
    const state = await this.state();
    if (!state.contained) throw new SandboxMissingError(state.why);
  }

  /** A sandbox for one command; undefined if nothing is contained. Rejects with the system's error. */
  async enclose(request: EnclosureRequest): Promise<Enclosure | undefined> {
    const { contained } = await this.state();
    if (!contained || this.#programs === undefined) return undefined;
    return this.#encloseIn(this.#programs, request);
  }

  /** To be called when all commands have ended. Never rejects. */
  async close(): Promise<void> {
    await this.#parts?.close();
    this.#parts = undefined;
  }

  async #find(): Promise<Containment> {
    const { policy, onWarning } = this.#options;
    if (policy.mode === "off") return { contained: false, why: "the user wants no sandbox" };
    const state = await this.#probe();
    if (!state.contained && policy.mode === "auto") {
      onWarning?.(`the shell and the tools of agent.mdx are not contained: ${state.why}; ${MEANING}`);
    }
    return state;
  }

  async #probe(): Promise<Containment> {
    if (this.#programs === undefined) return { contained: false, why: withoutPrograms(this.#options.environment) };
    if (realpathSync(this.#options.agentDir) === "/") {
      return { contained: false, why: "the agent's directory is the whole file system" };
    }
    try {
      const enclosure = await this.#encloseIn(this.#programs, { purpose: "shell" });
      const problem = await trialProblem(enclosure);
      return problem === undefined
        ? { contained: true }
        : { contained: false, why: `the sandbox does not work here: ${problem}` };
    } catch (error) {
      return { contained: false, why: `bubblewrap does not work here: ${errorMessage(error)}` };
    }
  }

  async #encloseIn(programs: SandboxPrograms, request: EnclosureRequest): Promise<Enclosure> {
    // Loaded when the first command runs.
    const [{ SandboxParts }, { encloseIn }] = await Promise.all([import("./sandbox-parts.ts"), import("./enclose.ts")]);
    this.#parts ??= new SandboxParts(this.#options, programs);
    return encloseIn(this.#parts, request);
  }
}

/** Why a command that does nothing fails in a sandbox; undefined if it does not. Rejects with the system's error. */
async function trialProblem(enclosure: Enclosure): Promise<string | undefined> {
  try {
    const start = { command: ["true"], cwd: "/", environment: {}, hasChannel: false };
    const { exited, stderr } = enclosure.start(start);
    if ((await exited) === 0) return undefined;
    const [line = ""] = (await new Response(stderr).text()).split("\n");
    return line.slice(0, 200) || `a command that does nothing ends with exit code ${await exited}`;
  } finally {
    enclosure.release();
  }
}

/** What it means that nothing is contained. */
const MEANING = "a command runs only if you or a rule allow it, and tools may do what you may";

const PROGRAMS = { bubblewrap: "bwrap", nsenter: "nsenter" } as const;

/** The paths of the programs; undefined if one is not installed. */
function findPrograms(environment: Environment): SandboxPrograms | undefined {
  if (process.platform !== "linux") return undefined;
  const PATH = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
  const [bubblewrap, nsenter] = [PROGRAMS.bubblewrap, PROGRAMS.nsenter].map((name) => Bun.which(name, { PATH }));
  return bubblewrap && nsenter ? { bubblewrap, nsenter } : undefined;
}

/** Why there is no sandbox if `findPrograms` does not find all. */
function withoutPrograms(environment: Environment): string {
  if (process.platform !== "linux") return `there is no bubblewrap for this system (${process.platform})`;
  const PATH = environment["PATH"] ?? "";
  return Bun.which("bwrap", { PATH }) === null
    ? "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    : "nsenter is not installed (on Debian and Ubuntu: apt install util-linux)";
}
