import { realpathSync } from "node:fs";
import type { AgentSettings, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import { errorMessage } from "../error-message.ts";
import { findProgram } from "../files/find-program.ts";
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
 * may ask for containment, but not turn it off. What more is shown and may be written is the user's word alone.
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

/** Contains what an agent runs, if the system can and the user wants it. */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #programs: SandboxPrograms | undefined;
  #state: Promise<Containment> | undefined;
  #parts: Promise<SandboxParts> | undefined;

  /** Nothing is started before it is needed. */
  constructor(options: SandboxOptions) {
    const { policy, toolNetwork } = options;
    const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
    this.#options = { ...options, policy: { ...policy, mode } };
    this.#programs = mode === "off" ? undefined : findPrograms(this.#options);
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
    const { encloseIn } = await import("./enclose.ts");
    return encloseIn(await this.#sharedBy(this.#programs), request);
  }

  /** To be called when all commands have ended. Never rejects. */
  async close(): Promise<void> {
    const parts = await this.#parts?.catch(() => undefined);
    this.#parts = undefined;
    await parts?.close();
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
    if (this.#programs === undefined) return { contained: false, why: withoutPrograms(this.#options) };
    if (realpathSync(this.#options.agentDir) === "/") {
      return { contained: false, why: "the agent's directory is the whole file system" };
    }
    try {
      const { trialProblem } = await import("./enclose.ts");
      const problem = await trialProblem(await this.#sharedBy(this.#programs));
      return problem === undefined
        ? { contained: true }
        : { contained: false, why: `the sandbox does not work here: ${problem}` };
    } catch (error) {
      return { contained: false, why: `bubblewrap does not work here: ${errorMessage(error)}` };
    }
  }

  /** Loaded when the first command runs. */
  async #sharedBy(programs: SandboxPrograms): Promise<SandboxParts> {
    const { SandboxParts } = await import("./sandbox-parts.ts");
    this.#parts ??= SandboxParts.open(this.#options, programs);
    return this.#parts;
  }
}

/** What it means that nothing is contained. */
const MEANING = "a command runs only if you or a rule allow it, and tools may do what you may";

/** The paths of the programs; undefined if one is not installed where the agent cannot have put it. */
function findPrograms(options: SandboxOptions): SandboxPrograms | undefined {
  if (process.platform !== "linux") return undefined;
  const [bubblewrap, nsenter] = ["bwrap", "nsenter"].map((name) => find(name, options));
  return bubblewrap && nsenter ? { bubblewrap, nsenter } : undefined;
}

const find = (name: string, { environment, agentDir, cwd, policy }: SandboxOptions): string | undefined =>
  findProgram(name, { environment, outside: [agentDir, cwd, ...policy.write] });

/** Why there is no sandbox if `findPrograms` does not find all. */
function withoutPrograms(options: SandboxOptions): string {
  if (process.platform !== "linux") return `there is no bubblewrap for this system (${process.platform})`;
  return find("bwrap", options) === undefined
    ? "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    : "nsenter is not installed (on Debian and Ubuntu: apt install util-linux)";
}
