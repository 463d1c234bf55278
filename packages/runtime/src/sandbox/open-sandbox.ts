import { realpathSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import {
  type Containment,
  type Enclosure,
  type EnclosureRequest,
  type Sandbox,
  SandboxMissingError,
  type SandboxOptions,
} from "./sandbox.ts";
import type { SandboxParts } from "./sandbox-parts.ts";

/**
 * What every sandbox needs; a version of bubblewrap that knows less is of no use. Without `--die-with-parent`, which all
 * versions know: a bubblewrap that dies with its parent while it starts may leave a process behind that waits for ever.
 */
const NEEDED =
  "--ro-bind / / --size 65536 --tmpfs /tmp --dev /dev --proc /proc --unshare-pid --unshare-ipc --unshare-uts --unshare-net --new-session --cap-drop ALL".split(
    " ",
  );

const DEADLINE_MILLISECONDS = 10_000;

const INSTALL = "bubblewrap is not installed (on Debian and Ubuntu: apt install bubblewrap)";

/** Opens the sandbox of an agent; nothing is started before it is needed. */
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
    // Known without a probe, so the warning comes before anything runs.
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
    // Loaded when the first command runs.
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

/** The path of bubblewrap; undefined if it is not installed. */
function findBubblewrap(environment: Environment): string | undefined {
  if (process.platform !== "linux") return undefined;
  return Bun.which("bwrap", { PATH: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" }) ?? undefined;
}

/** Why there is no sandbox if `findBubblewrap` finds nothing. */
const withoutBubblewrap = (): string =>
  process.platform === "linux" ? INSTALL : `there is no bubblewrap for this system (${process.platform})`;

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
    return {
      contained: false,
      why: `bubblewrap does not work here: ${firstLine(complaint) || endText(child.signalCode, exitCode)}`,
    };
  } catch (error) {
    return { contained: false, why: `bubblewrap cannot be started: ${String(error)}` };
  }
}

const endText = (signal: string | number | null, exitCode: number): string =>
  signal === null ? `exit code ${exitCode}` : `it was ended by signal ${signal}`;

const firstLine = (text: string): string => (text.split("\n")[0] ?? "").slice(0, 200);
