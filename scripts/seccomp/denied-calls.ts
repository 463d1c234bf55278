import type { SystemCall } from "./syscall-numbers.ts";

/**
 * A test of the lower 32 bits of an argument. The kernel takes the arguments below as `int` or `unsigned int`, or cuts them to
 * that, so the upper bits must not matter.
 */
export interface Condition {
  /** From 0. */
  readonly argument: number;
  /** The bits that are tested; all if absent. */
  readonly mask?: number;
  /** With `some`, one of the masked bits is set; otherwise the masked value is one of these, or none of them. */
  readonly test: "some" | { readonly is: readonly number[] } | { readonly isNot: readonly number[] };
}

/** System calls that fail with an error if all conditions hold. */
export interface Denial {
  readonly calls: readonly SystemCall[];
  readonly conditions?: readonly Condition[];
  readonly error: keyof typeof ERRORS;
}

/** Error numbers of Linux, the same for x64 and arm64. */
export const ERRORS = { EPERM: 1, ENOSYS: 38, EPROTONOSUPPORT: 93, ESOCKTNOSUPPORT: 94, EAFNOSUPPORT: 97 } as const;

const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
/** The bits of a socket's type that are no flags. */
const SOCK_TYPE_MASK = 0xf;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;

/** `S_ISUID | S_ISGID`. */
const PRIVILEGE_BITS = 0o6000;
/** `O_CREAT | __O_TMPFILE`: without these, the mode of `open` is ignored and may be anything. */
const CREATES = 0o20000100;

/** `CLONE_NEWNS`, `NEWCGROUP`, `NEWUTS`, `NEWIPC`, `NEWUSER`, `NEWPID` and `NEWNET`. */
const NEW_NAMESPACES = 0x7e020000;
/** For `unshare` alone: for `clone` it is a part of the signal's number. */
const CLONE_NEWTIME = 0x80;

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

const privileged = (argument: number): Condition => ({ argument, mask: PRIVILEGE_BITS, test: "some" });

/** The calls that a sandbox denies. Calls that programs make often come first. */
export const DENIALS: readonly Denial[] = [
  // No file gets a setuid or setgid bit: it would lend this user's or group's rights to anyone who runs it outside.
  { calls: ["openat"], conditions: [{ argument: 2, mask: CREATES, test: "some" }, privileged(3)], error: "EPERM" },
  { calls: ["open"], conditions: [{ argument: 1, mask: CREATES, test: "some" }, privileged(2)], error: "EPERM" },
  { calls: ["creat", "chmod", "fchmod", "mknod"], conditions: [privileged(1)], error: "EPERM" },
  { calls: ["fchmodat", "fchmodat2", "mknodat"], conditions: [privileged(2)], error: "EPERM" },

  // Typing into a terminal.
  { calls: ["ioctl"], conditions: [{ argument: 1, test: { is: [TIOCSTI, TIOCLINUX] } }], error: "EPERM" },

  // New namespaces, in which a process has all privileges over much more of the kernel, and those of other processes.
  { calls: ["clone"], conditions: [{ argument: 0, mask: NEW_NAMESPACES, test: "some" }], error: "EPERM" },
  {
    calls: ["unshare"],
    conditions: [{ argument: 0, mask: NEW_NAMESPACES | CLONE_NEWTIME, test: "some" }],
    error: "EPERM",
  },
  { calls: ["setns"], error: "EPERM" },
  // Their flags and modes are in memory, which a filter cannot read. Programs fall back to `clone` and `openat`.
  { calls: ["clone3", "openat2"], error: "ENOSYS" },

  // Sockets: the internet and the list of network interfaces. A socket in the file system leads out of every other namespace.
  {
    calls: ["socket"],
    conditions: [{ argument: 0, test: { isNot: [AF_INET, AF_INET6, AF_NETLINK] } }],
    error: "EAFNOSUPPORT",
  },
  {
    calls: ["socket"],
    conditions: [
      { argument: 0, test: { is: [AF_NETLINK] } },
      { argument: 2, test: { isNot: [NETLINK_ROUTE] } },
    ],
    error: "EPROTONOSUPPORT",
  },
  // Pairs are connected to each other for good, but for datagrams: those can be sent to any other socket.
  { calls: ["socketpair"], conditions: [{ argument: 0, test: { isNot: [AF_UNIX] } }], error: "EAFNOSUPPORT" },
  {
    calls: ["socketpair"],
    conditions: [{ argument: 1, mask: SOCK_TYPE_MASK, test: { isNot: [SOCK_STREAM, SOCK_SEQPACKET] } }],
    error: "ESOCKTNOSUPPORT",
  },

  // Keys of the user's session: no namespace separates them.
  { calls: ["keyctl", "add_key", "request_key"], error: "EPERM" },
  // Memory and descriptors of other processes.
  { calls: ["ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"], error: "EPERM" },
  // Interfaces through which the kernel does other calls, past this filter, or that attacks on it need.
  {
    calls: ["io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "userfaultfd", "perf_event_open"],
    error: "EPERM",
  },
  // Mounts, and files that bypass the mounts.
  {
    calls: [
      ...(["mount", "umount2", "pivot_root", "chroot", "mount_setattr", "move_mount", "open_tree"] as const),
      ...(["open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "open_by_handle_at"] as const),
    ],
    error: "EPERM",
  },
  // The machine as a whole.
  {
    calls: [
      ...(["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"] as const),
      ...(["swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog"] as const),
    ],
    error: "EPERM",
  },
];
