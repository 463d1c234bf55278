import { realpathSync } from "node:fs";
import type { Containment } from "./containment.ts";
import { findBubblewrap, probeBubblewrap, withoutBubblewrap } from "./probe.ts";
import type { Enclosure, EnclosureRequest, Sandbox, SandboxOptions } from "./sandbox.ts";
import { SandboxMissingError } from "./sandbox-missing-error.ts";
import type { SandboxParts } from "./sandbox-parts.ts";

/** Opens the sandbox of an agent; nothing is looked for or started before it is needed. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { policy, toolNetwork } = options;
  const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
  return new BubblewrapSandbox({ ...options, policy: { ...policy, mode } });
}

class BubblewrapSandbox implements Sandbox {
  readonly #options: SandboxOptions;
  readonly #program: string | undefined;
  #state: Promise<Containment> | undefined;
  #parts: SandboxParts | undefined;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#program = options.policy.mode === "off" ? undefined : findBubblewrap(options.environment);
    // Known without a probe, and so told before anything runs.
    if (this.#program === undefined) void this.state();
  }

  state(): Promise<Containment> {
    this.#state ??= this.#find();
    return this.#state;
  }

  async ready(): Promise<void> {
    if (this.#options.policy.mode !== "required") return;
    const state = await this.state();
    if (!state.contained) throw new SandboxMissingError(state.why);
  }

  async enclose(request: EnclosureRequest): Promise<Enclosure | undefined> {
    const { contained } = await this.state();
    if (!contained || this.#program === undefined) return undefined;
    // Nothing of it is needed before something runs.
    const [{ SandboxParts }, { encloseIn }] = await Promise.all([import("./sandbox-parts.ts"), import("./enclose.ts")]);
    this.#parts ??= new SandboxParts(this.#options, this.#program);
    return encloseIn(this.#parts, request);
  }

  async close(): Promise<void> {
    await this.#parts?.close();
    this.#parts = undefined;
  }

  async #find(): Promise<Containment> {
    const { policy, onWarning } = this.#options;
    if (policy.mode === "off") return { contained: false, why: "the user wants no sandbox" };
    const state = await this.#probe();
    if (!state.contained && policy.mode === "auto") {
      onWarning?.(`the shell and the tools of agent.mdx are not contained: ${state.why}`);
    }
    return state;
  }

  async #probe(): Promise<Containment> {
    if (this.#program === undefined) return { contained: false, why: withoutBubblewrap() };
    if (realpathSync(this.#options.agentDir) === "/") {
      return { contained: false, why: "the agent's directory is the whole file system" };
    }
    return probeBubblewrap(this.#program);
  }
}
