import { lstatSync, realpathSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import { agentMounts } from "./agent-mounts.ts";
import type { Containment } from "./containment.ts";
import { limitedCommand } from "./limited-command.ts";
import { MountPoints } from "./mount-points.ts";
import { mountArguments } from "./mounts.ts";
import { findBubblewrap, probeBubblewrap, withoutBubblewrap } from "./probe.ts";
import { MOST_PROCESSES, ProcessGroupLimit } from "./process-limits.ts";
import { programPlaces } from "./program-places.ts";
import { emptyFile, runFolder } from "./run-folder.ts";
import { SandboxMissingError } from "./sandbox-missing-error.ts";
import type { SandboxPolicy } from "./sandbox-policy.ts";
import { surroundingMounts } from "./surrounding-mounts.ts";

export interface SandboxOptions {
  /** Absolute. */
  readonly agentDir: string;
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** The user's variables. */
  readonly environment: Environment;
  readonly policy: SandboxPolicy;
  /** Files of the agent that trust covers, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Cuts tools of agent.mdx off from every network but their own loopback, whatever the mode is. */
  readonly toolNetwork?: "none" | undefined;
  /** Told once, in a line, what is not contained. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What is asked of one sandbox. */
export interface EnclosureRequest {
  /** What it may reach: nothing, what the host may, or what the shell may. */
  readonly network: "none" | "host" | "shell";
  /** KiB of data that each process may hold. */
  readonly kibibytes: number;
}

/** One sandbox, for one command. */
export interface Enclosure {
  /** The command that runs `command` in it. To be started once. */
  command(command: readonly string[]): string[];
  /** Variables that differ in it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether it still holds: somebody outside may have replaced a file that it protects. */
  isCurrent(): boolean;
  /** To be called when the command has ended. Never throws. */
  release(): void;
}

/** Contains what an agent runs, as far as the system can and the user wants. */
export interface Sandbox {
  /** Found out once, when it is first asked for. Never rejects. */
  state(): Promise<Containment>;
  /** Rejects with `SandboxMissingError` where containment is required and cannot be had. */
  ready(): Promise<void>;
  /** A sandbox for one command; undefined where nothing is contained. Rejects with what the system says. */
  enclose(request: EnclosureRequest): Promise<Enclosure | undefined>;
  /** To be called when all commands have ended. Never rejects. */
  close(): Promise<void>;
}

/** Opens the sandbox of an agent; nothing is looked for or started before it is needed. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { policy, toolNetwork } = options;
  const mode = policy.mode === "off" && toolNetwork === "none" ? "auto" : policy.mode;
  return new BubblewrapSandbox({ ...options, policy: { ...policy, mode } });
}

/** What all sandboxes have in common; the last part makes `bwrap` itself hold nothing that they should not. */
const ISOLATION =
  "--dev /dev --proc /proc --unshare-pid --unshare-ipc --unshare-uts --new-session --die-with-parent --cap-drop ALL".split(
    " ",
  );

/** What the administrator needs to work with the files of other users; none of it leads out of a sandbox. */
const OF_THE_ADMINISTRATOR = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN", "CAP_FSETID"].flatMap((name) => [
  "--cap-add",
  name,
]);

const TEMPORARY = ["TMPDIR", "TMP", "TEMP"];

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
    this.#parts ??= openParts(this.#options);
    return encloseIn(this.#parts, request, this.#program);
  }

  async close(): Promise<void> {
    this.#parts?.limit.close();
    await this.#parts?.mountPoints.close();
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

/** What the sandboxes of an agent share. */
interface SandboxParts {
  readonly options: SandboxOptions;
  /** Real. */
  readonly agentDir: string;
  readonly folder: string;
  readonly mountPoints: MountPoints;
  readonly limit: ProcessGroupLimit;
}

function openParts(options: SandboxOptions): SandboxParts {
  const agentDir = realpathSync.native(options.agentDir);
  const folder = runFolder();
  return { options, agentDir, folder, mountPoints: new MountPoints(agentDir, folder), limit: new ProcessGroupLimit() };
}

function encloseIn(parts: SandboxParts, request: EnclosureRequest, program: string): Enclosure {
  const { options, agentDir, folder, mountPoints, limit } = parts;
  const { cwd, environment, definingFiles = [] } = options;
  const hold = mountPoints.hold();
  try {
    const around = surroundingMounts({
      ...{ agentDir, agentPath: options.agentDir, cwd, environment },
      ...{ program: programPlaces(), emptyFile: emptyFile(folder) },
    });
    const ofAgent = agentMounts({ agentDir, definingFiles });
    const mounts = new Map([...ofAgent, ...around, [agentDir, { kind: "writable" as const }]]);
    const isAdministrator = process.getuid?.() === 0;
    const arguments_ = [
      ...["--ro-bind", "/", "/", ...mountArguments(mounts), ...ISOLATION],
      ...(isAdministrator ? OF_THE_ADMINISTRATOR : []),
      ...(isCutOff(request, options) ? ["--unshare-net"] : []),
    ];
    const stamp = stampOf([...ofAgent.keys()]);
    const bound = isAdministrator ? [] : ["/bin/sh", "-c", `ulimit -u ${MOST_PROCESSES} 2>/dev/null; exec "$@"`, "sh"];
    const { entrance } = limit;
    const { kibibytes } = request;
    return {
      command: (command) =>
        limitedCommand([program, ...arguments_, "--", ...bound, ...command], { kibibytes, entrance }),
      environment: Object.fromEntries(TEMPORARY.filter((name) => environment[name]).map((name) => [name, "/tmp"])),
      isCurrent: () => stampOf([...ofAgent.keys()]) === stamp,
      release: hold.release,
    };
  } catch (error) {
    hold.release();
    throw error;
  }
}

function isCutOff({ network }: EnclosureRequest, { policy, toolNetwork }: SandboxOptions): boolean {
  if (network === "host") return toolNetwork === "none";
  return network === "none" || policy.network !== "all";
}

/** Tells the files that stand at some places from all others that may come to stand there. */
function stampOf(places: readonly string[]): string {
  return places.map((place) => lstatSync(place, { throwIfNoEntry: false })?.ino ?? 0).join();
}
