import { shellQuoted } from "./shell-script.ts";

/** What a warm sandbox is made of. All paths are absolute. */
export interface WarmSandboxOptions {
  readonly programs: SandboxPrograms;
  /** The arguments of bubblewrap that make what commands see. */
  readonly mounts: readonly string[];
  /** Whether it has a network of its own, in which only its loopback is. */
  readonly hasOwnNetwork: boolean;
  /** Runs inside before the sandbox counts as open; the sandbox is not opened if it fails. */
  readonly check: readonly string[];
  /** Words before each command that enters, such as a limit. */
  readonly before: readonly string[];
  /** Whether commands have a channel to this process at descriptor 3. */
  readonly hasChannel: boolean;
  /** Ends a process when this one ends, unless the returned function is called first. */
  readonly watch: (pid: number) => () => void;
}

/** The programs that make and enter a sandbox. Absolute. */
export interface SandboxPrograms {
  readonly bubblewrap: string;
  /** Of util-linux. */
  readonly nsenter: string;
}

/** A shell inside that waits for the script that it runs. */
export type WaitingShell = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** A sandbox could not be made. The message is a line without a full stop. */
class SandboxStartError extends Error {
  override readonly name = "SandboxStartError";
}

/** Namespaces of a sandbox besides those of files and processes. */
const NAMESPACES = ["--unshare-ipc", "--unshare-uts"];

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

const DEADLINE_MILLISECONDS = 10_000;

/**
 * A sandbox that stays: a small process holds its mounts and its network, and commands enter it, each with a process namespace
 * of its own. The next command finds a shell inside that waits for it already.
 */
export class WarmSandbox {
  readonly #options: WarmSandboxOptions;
  readonly #holder: Helper;
  /** Its number in this process's namespace. */
  readonly #pid: number;
  #bridge: Helper | undefined;
  #waiting: WaitingShell | undefined;
  #hasEnded = false;

  private constructor(options: WarmSandboxOptions, holder: Helper, pid: number) {
    this.#options = options;
    this.#holder = holder;
    this.#pid = pid;
    void holder.exited.then(options.watch(holder.pid)).then(() => this.close());
  }

  /** Rejects with `SandboxStartError`, or the system's error. */
  static async open(options: WarmSandboxOptions): Promise<WarmSandbox> {
    const { process: holder, line } = await startHelper(holderCommand(options));
    if (line === undefined) throw new SandboxStartError(await complaintOf(holder));
    return new WarmSandbox(options, holder, Number(line));
  }

  /** Whether commands can still enter it. */
  get isOpen(): boolean {
    return !this.#hasEnded;
  }

  /**
   * Starts a bridge: a command that runs in the network of the sandbox, and outside otherwise, and writes a line when it is
   * ready. Rejects with `SandboxStartError`, or the system's error.
   */
  async connect(bridge: readonly string[]): Promise<void> {
    const { process: started, line } = await startHelper([...this.#entrance(["-n"]), "--", ...bridge]);
    void started.exited.then(this.#options.watch(started.pid));
    this.#bridge = started;
    if (line === undefined) throw new SandboxStartError(await complaintOf(started));
  }

  /** A shell inside, of which no other command knows. Throws the system's error. */
  shell(): WaitingShell {
    const taken = this.#waiting;
    this.#waiting = undefined;
    return taken?.exitCode === null && taken.signalCode === null ? taken : this.#startShell();
  }

  /** Starts the shell of the next command, so that the command need not wait for it. Never throws. */
  prepare(): void {
    if (this.#hasEnded || this.#waiting) return;
    try {
      this.#waiting = this.#startShell();
    } catch {
      // The next command reports it.
    }
  }

  /** Commands that run inside go on. Never throws; may be called twice. */
  close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const helper of [this.#holder, this.#bridge, this.#waiting]) helper?.kill("SIGKILL");
    this.#waiting = undefined;
  }

  #startShell(): WaitingShell {
    const { programs, before, hasChannel, watch } = this.#options;
    const command = [
      ...before,
      ...this.#entrance(this.#options.hasOwnNetwork ? ["-m", "-i", "-u", "-n"] : ["-m", "-i", "-u"]),
      ...["--", programs.bubblewrap, ...PER_COMMAND, ...(isRoot() ? ROOT_OPTIONS : ownUser())],
      ...["--", "/bin/sh"],
    ];
    const shell = Bun.spawn(command, {
      cwd: "/",
      env: {},
      stdio: ["pipe", "pipe", "pipe", ...(hasChannel ? (["socket-fd"] as const) : [])],
      // A process group of its own, so that all of it can be killed.
      detached: true,
    });
    shell.unref();
    void shell.exited.then(watch(shell.pid));
    return shell;
  }

  #entrance(namespaces: readonly string[]): string[] {
    const user = isRoot() ? [] : ["-U", "--preserve-credentials"];
    return [this.#options.programs.nsenter, "-t", String(this.#pid), ...user, ...namespaces];
  }
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** For others than root the sandbox has a user namespace, in which the holder is root and commands are the user again. */
const ownUser = (): string[] => [
  "--unshare-user",
  ...["--uid", String(process.getuid?.()), "--gid", String(process.getgid?.())],
];

function holderCommand({ programs, mounts, hasOwnNetwork, check }: WarmSandboxOptions): string[] {
  const checked = check.length === 0 ? "" : `${check.map(shellQuoted).join(" ")} && `;
  return [
    ...[programs.bubblewrap, ...mounts, ...NAMESPACES, ...(hasOwnNetwork ? ["--unshare-net"] : [])],
    ...(isRoot() ? [] : ["--unshare-user", "--uid", "0", "--gid", "0"]),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL"],
    // It ends with its input, and so with this process.
    ...["--", "/bin/sh", "-c", `${checked}echo $$ && read -r _`],
  ];
}

/** A process that works for a sandbox until its input ends, and so at the latest with this process. */
type Helper = Bun.Subprocess<"pipe", "pipe", "pipe">;

/** Starts a process and waits for its first line; undefined if it ends before, or writes none for a long time. */
async function startHelper(command: readonly string[]): Promise<{ process: Helper; line: string | undefined }> {
  const started = Bun.spawn([...command], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "pipe", "pipe"],
    // Out of reach of the terminal's Ctrl+C.
    detached: true,
  });
  started.unref();
  const deadline = setTimeout(() => started.kill("SIGKILL"), DEADLINE_MILLISECONDS);
  const { value } = await started.stdout.getReader().read();
  clearTimeout(deadline);
  return { process: started, line: value && new TextDecoder().decode(value) };
}

/** Why a process ended, in a line without a full stop. */
async function complaintOf(started: Helper): Promise<string> {
  const [exitCode, complaint] = await Promise.all([started.exited, started.stderr.text()]);
  const [line = ""] = complaint.split("\n");
  const end = started.signalCode === null ? `exit code ${exitCode}` : `it was ended by signal ${started.signalCode}`;
  return line.slice(0, 200) || end;
}
