import { entrance, HOLDING, Holder, isRoot, type Namespace, type SandboxPrograms, type Watch } from "./holder.ts";
import { shellQuoted } from "./shell-script.ts";

/** What a warm sandbox is made of. */
export interface WarmSandboxOptions {
  readonly programs: SandboxPrograms;
  /** Its private folders are in the namespaces of this holder. */
  readonly base: Holder;
  /** The arguments of bubblewrap that make what commands see. */
  readonly mounts: readonly string[];
  /** Whether it has a network of its own, in which only its loopback is. */
  readonly hasOwnNetwork: boolean;
  /** A command that must succeed inside before the sandbox counts as open; empty if there is none. */
  readonly check: readonly string[];
  /** Words before each command that enters, such as a limit. */
  readonly before: readonly string[];
  /** Whether commands have a channel to this process at descriptor 3. */
  readonly hasChannel: boolean;
  readonly watch: Watch;
}

/** A shell inside that waits for the script that it runs. */
export type WaitingShell = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** The descriptor of the script of an attached process. */
export const SCRIPT = 3;

/** A process group of its own, so that all of it can be killed. */
const START = { cwd: "/", env: {}, detached: true } as const;

const NAMESPACES: readonly Namespace[] = ["mount", "ipc", "uts"];

/** Options of every command: processes of its own that end with it, and no privileges. */
const PER_COMMAND = "--dev-bind / / --unshare-pid --proc /proc --new-session --die-with-parent --cap-drop ALL".split(
  " ",
);

/** Capabilities that root needs for the files of other users; none of them leads out of a sandbox. */
const ROOT_CAPABILITIES = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN", "CAP_FSETID"].flatMap((name) => [
  "--cap-add",
  name,
]);

/** Root, even without capabilities, configures the kernel by /proc: a program that the kernel starts runs outside. */
const ROOT_OPTIONS = ["--remount-ro", "/proc", ...ROOT_CAPABILITIES];

/**
 * A sandbox that stays: a small process holds its mounts and its network, and commands enter it, each with a process namespace
 * of its own. The next command finds a shell inside that waits for it already.
 */
export class WarmSandbox {
  readonly #options: WarmSandboxOptions;
  readonly #holder: Holder;
  #bridge: Holder | undefined;
  #waiting: WaitingShell | undefined;

  private constructor(options: WarmSandboxOptions, holder: Holder) {
    this.#options = options;
    this.#holder = holder;
  }

  /** Rejects with `SandboxStartError`, or the system's error. */
  static async open(options: WarmSandboxOptions): Promise<WarmSandbox> {
    return new WarmSandbox(options, await Holder.start(holderCommand(options), options.watch));
  }

  /** Whether commands can still enter it. */
  get isOpen(): boolean {
    return this.#holder.isOpen && (this.#bridge?.isOpen ?? true);
  }

  /**
   * Starts a bridge: a command that runs in the network of the sandbox, and outside otherwise, and writes a line when it is
   * ready. Rejects with `SandboxStartError`, or the system's error.
   */
  async connect(bridge: readonly string[]): Promise<void> {
    const { programs, watch } = this.#options;
    this.#bridge = await Holder.start([...entrance(programs, this.#holder, ["net"]), ...bridge], watch);
  }

  /** A shell inside, for one command. Throws the system's error. */
  shell(): WaitingShell {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting?.exitCode === null && waiting.signalCode === null ? waiting : this.#startShell();
  }

  /** Starts the shell of the next command, so that the command need not wait for it. Never throws. */
  prepare(): void {
    if (this.#waiting || !this.isOpen) return;
    try {
      this.#waiting = this.#startShell();
    } catch {
      // The next command reports it.
    }
  }

  /**
   * Starts a process inside that has the standard streams of this one, and becomes what a shell script says that it reads from
   * a file. Throws the system's error.
   */
  attach(script: number): Bun.Subprocess {
    const command = this.#entering(["/bin/sh", "-c", `. /dev/fd/${SCRIPT}`]);
    const attached = Bun.spawn(command, { ...START, stdio: ["inherit", "inherit", "inherit", script] });
    void attached.exited.then(this.#options.watch(attached.pid));
    return attached;
  }

  /** Commands that run inside continue, without a bridge. Never throws; may be called twice. */
  close(): void {
    this.#holder.close();
    this.#bridge?.close();
    this.#waiting?.kill("SIGKILL");
  }

  #startShell(): WaitingShell {
    const channel = this.#options.hasChannel ? (["socket-fd"] as const) : [];
    const shell = Bun.spawn(this.#entering(["/bin/sh"]), { ...START, stdio: ["pipe", "pipe", "pipe", ...channel] });
    shell.unref();
    void shell.exited.then(this.#options.watch(shell.pid));
    return shell;
  }

  /** The command that runs a program inside. */
  #entering(program: readonly string[]): string[] {
    const { programs, before, hasOwnNetwork } = this.#options;
    const namespaces: readonly Namespace[] = hasOwnNetwork ? [...NAMESPACES, "net"] : NAMESPACES;
    return [
      ...[...before, ...entrance(programs, this.#holder, namespaces)],
      ...[programs.bubblewrap, ...PER_COMMAND, ...(isRoot() ? ROOT_OPTIONS : ownUser())],
      ...["--", ...program],
    ];
  }
}

/** For users other than root, the holders are root of a user namespace; their commands are the user again. */
const ownUser = (): string[] => [
  "--unshare-user",
  ...["--uid", String(process.getuid?.()), "--gid", String(process.getgid?.())],
];

function holderCommand({ programs, base, mounts, hasOwnNetwork, check }: WarmSandboxOptions): string[] {
  const checked = check.length === 0 ? "" : `${check.map(shellQuoted).join(" ")} && `;
  return [
    ...entrance(programs, base, ["mount"]),
    ...[programs.bubblewrap, ...mounts, "--unshare-ipc", "--unshare-uts", ...(hasOwnNetwork ? ["--unshare-net"] : [])],
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--", "/bin/sh", "-c", checked + HOLDING],
  ];
}
