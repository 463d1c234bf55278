import { entrance, type Holder, isRoot, type Namespace, type SandboxPrograms } from "./holder.ts";
import { type Reserved, reservingArguments } from "./placeholders.ts";
import { BUBBLEWRAP_PATH } from "./private-folders.ts";

/** What the commands that make and enter a sandbox consist of. */
export interface SandboxWords {
  readonly programs: SandboxPrograms;
  /** Its private folders are in the namespaces of this holder. */
  readonly base: Holder;
  /** Whether it has a network of its own, in which only its loopback is. */
  readonly hasPrivateNetwork: boolean;
}

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

/** A program that runs inside a sandbox. */
interface Entering {
  readonly program: readonly string[];
  readonly reserved: Reserved;
  /** The descriptor at which the filter of system calls is open, if the kernel has filters. */
  readonly filter: number | undefined;
}

/** The command that runs a program inside the sandbox that a holder keeps. */
export function enteringCommand(
  { programs, hasPrivateNetwork }: SandboxWords,
  holder: Holder,
  { program, reserved, filter }: Entering,
): string[] {
  const namespaces: readonly Namespace[] = hasPrivateNetwork ? [...NAMESPACES, "net"] : NAMESPACES;
  return [
    ...entrance(programs, holder, namespaces),
    ...[BUBBLEWRAP_PATH, ...PER_COMMAND, ...(isRoot() ? ROOT_OPTIONS : currentUser())],
    ...reservingArguments(reserved),
    ...(filter === undefined ? [] : ["--seccomp", String(filter)]),
    ...["--", ...program],
  ];
}

/** For users other than root, the holders are root of a user namespace; their commands are the user again. */
const currentUser = (): string[] => [
  "--unshare-user",
  ...["--uid", String(process.getuid?.()), "--gid", String(process.getgid?.())],
];

/** The command that makes a sandbox and keeps it. It finds its script at descriptor 3, and the arguments for the mounts at 4. */
export function holderCommand({ programs, base, hasPrivateNetwork }: SandboxWords): string[] {
  return [
    ...entrance(programs, base, ["mount"]),
    ...[programs.bubblewrap, "--args", "4", "--unshare-ipc", "--unshare-uts"],
    ...(hasPrivateNetwork ? ["--unshare-net"] : []),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--", "/bin/sh", "-c", ". /dev/fd/3"],
  ];
}
