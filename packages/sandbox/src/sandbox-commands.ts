import { entrance, type Holder, isRoot, type Namespace, type SandboxPrograms } from "./holder.ts";
import { type Reserved, reservingArguments } from "./placeholders.ts";
import { BUBBLEWRAP_PATH } from "./private-folders.ts";

/** The parts of the commands that make and enter a sandbox. */
export interface SandboxWords {
  readonly programs: SandboxPrograms;
  /** The holder whose namespaces contain its private folders. */
  readonly base: Holder;
  /** Whether it has a private network with only a loopback. */
  readonly hasPrivateNetwork: boolean;
}

const NAMESPACES: readonly Namespace[] = ["mount", "ipc", "uts"];

/** Options of every command: a process namespace that ends with it, and no privileges. */
const PER_COMMAND = "--dev-bind / / --unshare-pid --proc /proc --new-session --die-with-parent --cap-drop ALL".split(
  " ",
);

/** Capabilities that root needs for files of other users; none of them lets a process leave the sandbox. */
const ROOT_CAPABILITIES = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN", "CAP_FSETID"].flatMap((name) => [
  "--cap-add",
  name,
]);

/** Even without capabilities, root can configure the kernel by /proc; a program that the kernel starts would run outside. */
const ROOT_OPTIONS = ["--remount-ro", "/proc", ...ROOT_CAPABILITIES];

/** A program that runs inside a sandbox. */
interface Entering {
  readonly program: readonly string[];
  readonly reserved: Reserved;
  /** The descriptor of the filter of system calls, if there is one. */
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

/** For users other than root, holders are root of a user namespace; their commands run as the user again. */
const currentUser = (): string[] => [
  "--unshare-user",
  ...["--uid", String(process.getuid?.()), "--gid", String(process.getgid?.())],
];

/**
 * The command that makes a sandbox and keeps it. It reads its script from descriptor 3, and the mount arguments from descriptor
 * 4.
 */
export function holderCommand({ programs, base, hasPrivateNetwork }: SandboxWords): string[] {
  return [
    ...entrance(programs, base, ["mount"]),
    ...[programs.bubblewrap, "--args", "4", "--unshare-ipc", "--unshare-uts"],
    ...(hasPrivateNetwork ? ["--unshare-net"] : []),
    ...["--new-session", "--die-with-parent", "--cap-drop", "ALL", "--", "/bin/sh", "-c", ". /dev/fd/3"],
  ];
}
