import { realpathSync } from "node:fs";
import type { AgentSettings, SandboxMode, SandboxSettings } from "@mdx-ai/parser";
import { findProgram } from "../files/find-program.ts";
import type { Enclosure, EnclosureRequest, SandboxOptions, SandboxPolicy, ShellNetwork } from "./enclosure.ts";
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

/**
 * What every sandbox needs; a version of bubblewrap that knows less is of no use. Without `--die-with-parent`, which all
 * versions know: a bubblewrap that dies with its parent while it starts may leave a process that waits forever.
 */
const NEEDED =
  "--ro-bind / / --size 65536 --tmpfs /tmp --dev /dev --proc /proc --unshare-pid --unshare-ipc --unshare-uts --unshare-net --new-session --cap-drop ALL".split(
    " ",
  );

const DEADLINE_MILLISECONDS = 10_000;

/** Contains what an agent runs, if the system can and the user wants it. */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #program: string | undefined;
  #state: Promise<Containment> | undefined;
  #parts: SandboxParts | undefined;

  /** Nothing is started before it is needed. */
  constructor(options: SandboxOptions) {
    const { policy, toolNetwork } = options;
    const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
    this.#options = { ...options, policy: { ...policy, mode } };
    this.#program = mode === "off" ? undefined : findBubblewrap(options);
    // Known without a probe, so the warning comes before anything runs.
    if (this.#program === undefined) void this.state();
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
    if (!contained || this.#program === undefined) return undefined;
    // Loaded when the first command runs.
    const [{ SandboxParts }, { encloseIn }] = await Promise.all([import("./sandbox-parts.ts"), import("./enclose.ts")]);
    this.#parts ??= new SandboxParts(this.#options, this.#program);
    return encloseIn(this.#parts, request);
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

/** The path of bubblewrap; undefined if it is not installed where the agent cannot have put it. */
function findBubblewrap({ environment, agentDir, cwd }: SandboxOptions): string | undefined {
  if (process.platform !== "linux") return undefined;
  return findProgram("bwrap", { environment, outside: [agentDir, cwd] });
}

/** Why there is no sandbox if `findBubblewrap` finds nothing. */
const withoutBubblewrap = (): string =>
  process.platform === "linux"
    ? "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)"
    : `there is no bubblewrap for this system (${process.platform})`;

/** Whether bubblewrap works on this machine, found out by a trial. Never rejects. */
async function probeBubblewrap(program: string): Promise<Containment> {
  try {
    const child = Bun.spawn([program, ...NEEDED, "--", "/bin/sh", "-c", ":"], {
      cwd: "/",
      env: {},
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      // Out of reach of the terminal's Ctrl+C.
      detached: true,
      timeout: DEADLINE_MILLISECONDS,
      killSignal: "SIGKILL",
    });
    const [exitCode, complaint] = await Promise.all([child.exited, child.stderr.text()]);
    if (exitCode === 0) return { contained: true };
    const end = child.signalCode === null ? `exit code ${exitCode}` : `it was ended by signal ${child.signalCode}`;
    const [line = ""] = complaint.split("\n");
    return { contained: false, why: `bubblewrap does not work here: ${line.slice(0, 200) || end}` };
  } catch (error) {
    return { contained: false, why: `bubblewrap cannot be started: ${String(error)}` };
  }
}
