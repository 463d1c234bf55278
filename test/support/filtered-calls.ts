import type { SystemCall } from "../../scripts/seccomp/syscall-numbers.ts";

/** Error numbers by which the filter refuses. */
export const ERROR_NUMBERS = {
  EPERM: 1,
  ENOSYS: 38,
  EPROTONOSUPPORT: 93,
  ESOCKTNOSUPPORT: 94,
  EAFNOSUPPORT: 97,
} as const;

/** A system call with its arguments, none of which points to memory, and what the filter is to do with it. */
export interface FilterCase {
  readonly title: string;
  readonly call: SystemCall;
  readonly arguments: readonly bigint[];
  readonly result: "allowed" | keyof typeof ERROR_NUMBERS;
}

/** What a program may leave in the upper half of an argument that the kernel takes as an `int`. */
const UPPER = 0xdeadbeef_00000000n;
const NO_DESCRIPTOR = 0xffffffffn;
const [O_CREAT, O_WRONLY, O_TMPFILE] = [0o100n, 0o1n, 0o20200000n];
const [UNIX, INET, INET6, NETLINK, VSOCK] = [1n, 2n, 10n, 16n, 40n];
const [STREAM, DATAGRAM, RAW, PACKET_SEQUENCE] = [1n, 2n, 3n, 5n];
const [NONBLOCK, CLOEXEC] = [0o4000n, 0o2000000n];

type Row = readonly [title: string, args: readonly bigint[], result: FilterCase["result"]];

const rows = (call: SystemCall, list: readonly Row[]): FilterCase[] =>
  list.map(([title, args, result]) => ({ title: `${call}: ${title}`, call, arguments: args, result }));

/** A call whose mode may set bits of privilege; `before` are the arguments before the mode. */
const withMode = (call: SystemCall, ...before: readonly bigint[]): FilterCase[] =>
  rows(call, [
    ["setuid", [...before, 0o104755n], "EPERM"],
    ["setgid", [...before, 0o2755n], "EPERM"],
    ["setuid, with upper bits", [...before, UPPER | 0o4755n], "EPERM"],
    ["an ordinary mode", [...before, 0o755n], "allowed"],
    ["an ordinary mode with upper bits and the sticky bit", [...before, UPPER | 0o1777n], "allowed"],
  ]);

/** The same for calls that read the mode only if their flags let them create a file. */
const withFlagsAndMode = (call: SystemCall, ...before: readonly bigint[]): FilterCase[] => [
  ...withMode(call, ...before, O_CREAT | O_WRONLY),
  ...rows(call, [
    ["setuid, without a name", [...before, O_TMPFILE, 0o4755n], "EPERM"],
    ["setuid, with upper bits in the flags", [...before, UPPER | O_CREAT, 0o4755n], "EPERM"],
    ["a mode that is not read", [...before, 0n, 0o7777n], "allowed"],
    ["a mode that is not read, with upper bits in the flags", [...before, UPPER, 0o7777n], "allowed"],
  ]),
];

const NAMESPACES: Readonly<Record<string, bigint>> = {
  mount: 0x20000n,
  cgroup: 0x2000000n,
  uts: 0x4000000n,
  ipc: 0x8000000n,
  user: 0x10000000n,
  pid: 0x20000000n,
  net: 0x40000000n,
};

const newNamespaces = (call: SystemCall): FilterCase[] =>
  Object.entries(NAMESPACES).flatMap(([name, flag]) =>
    rows(call, [
      [`a new namespace: ${name}`, [flag], "EPERM"],
      [`a new namespace among others, with upper bits: ${name}`, [UPPER | flag | 0x400n], "EPERM"],
    ]),
  );

const OTHER_FAMILIES = [0n, 3n, 15n, 17n, 21n, 29n, 30n, 31n, 38n, 39n, 42n, 43n, 44n, NO_DESCRIPTOR];

/** Denied, whatever the arguments are. */
const ALWAYS: readonly SystemCall[] = [
  ...(["keyctl", "add_key", "request_key", "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"] as const),
  ...(["io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "userfaultfd", "perf_event_open"] as const),
  ...(["setns", "mount", "umount2", "pivot_root", "chroot", "mount_setattr", "move_mount", "open_tree"] as const),
  ...(["open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "open_by_handle_at"] as const),
  ...(["init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"] as const),
  ...(["swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog"] as const),
];

/** Calls whose arguments decide, and which do nothing to the machine where they are not denied. */
export const CASES_BY_ARGUMENT: readonly FilterCase[] = [
  ...withFlagsAndMode("openat", NO_DESCRIPTOR, 0n),
  ...withFlagsAndMode("open", 0n),
  ...withMode("creat", 0n),
  ...withMode("chmod", 0n),
  ...withMode("fchmod", NO_DESCRIPTOR),
  ...withMode("mknod", 0n),
  ...withMode("fchmodat", NO_DESCRIPTOR, 0n),
  ...withMode("fchmodat2", NO_DESCRIPTOR, 0n),
  ...withMode("mknodat", NO_DESCRIPTOR, 0n),
  ...rows("ioctl", [
    ["TIOCSTI", [NO_DESCRIPTOR, 0x5412n], "EPERM"],
    ["TIOCSTI with upper bits", [NO_DESCRIPTOR, UPPER | 0x5412n], "EPERM"],
    ["TIOCLINUX", [NO_DESCRIPTOR, 0x541cn], "EPERM"],
    ["TIOCGWINSZ", [NO_DESCRIPTOR, 0x5413n], "allowed"],
  ]),
  ...rows("socket", [
    ["AF_UNIX", [UNIX, STREAM, 0n], "EAFNOSUPPORT"],
    ["AF_UNIX, for datagrams", [UNIX, DATAGRAM, 0n], "EAFNOSUPPORT"],
    ["AF_UNIX with upper bits", [UPPER | UNIX, STREAM, 0n], "EAFNOSUPPORT"],
    ["AF_VSOCK", [VSOCK, STREAM, 0n], "EAFNOSUPPORT"],
    ["AF_VSOCK with upper bits", [UPPER | VSOCK, STREAM, 0n], "EAFNOSUPPORT"],
    ...OTHER_FAMILIES.map((family): Row => [`family ${family}`, [family, RAW, 0n], "EAFNOSUPPORT"]),
    ["AF_INET", [INET, STREAM, 0n], "allowed"],
    ["AF_INET with upper bits", [UPPER | INET, DATAGRAM, 0n], "allowed"],
    ["AF_INET with a protocol", [INET, STREAM, 6n], "allowed"],
    ["AF_INET6", [INET6, STREAM, 0n], "allowed"],
    ["AF_NETLINK for interfaces", [NETLINK, RAW, 0n], "allowed"],
    ["AF_NETLINK for interfaces, with upper bits", [UPPER | NETLINK, RAW, UPPER], "allowed"],
    ["AF_NETLINK for audits", [NETLINK, RAW, 9n], "EPROTONOSUPPORT"],
    ["AF_NETLINK between programs, with upper bits", [UPPER | NETLINK, RAW, UPPER | 2n], "EPROTONOSUPPORT"],
  ]),
  ...rows("socketpair", [
    ["streams", [UNIX, STREAM, 0n, 0n], "allowed"],
    ["streams, with flags and upper bits", [UPPER | UNIX, UPPER | STREAM | NONBLOCK | CLOEXEC, 0n, 0n], "allowed"],
    ["sequences of packets", [UNIX, PACKET_SEQUENCE | CLOEXEC, 0n, 0n], "allowed"],
    ["datagrams", [UNIX, DATAGRAM, 0n, 0n], "ESOCKTNOSUPPORT"],
    ["datagrams, with flags and upper bits", [UNIX, UPPER | DATAGRAM | NONBLOCK | CLOEXEC, 0n, 0n], "ESOCKTNOSUPPORT"],
    ["raw, which are datagrams", [UNIX, RAW, 0n, 0n], "ESOCKTNOSUPPORT"],
    ["an unknown type", [UNIX, 9n, 0n, 0n], "ESOCKTNOSUPPORT"],
    ["AF_TIPC", [30n, STREAM, 0n, 0n], "EAFNOSUPPORT"],
  ]),
];

/** All calls that the filter is to judge. Those that are denied here may do something where there is no filter. */
export const FILTER_CASES: readonly FilterCase[] = [
  ...CASES_BY_ARGUMENT,
  ...newNamespaces("clone"),
  ...newNamespaces("unshare"),
  // The kernel refuses this one itself, so that no process is made.
  ...rows("clone", [["threads without a common memory", [0x800n], "allowed"]]),
  ...rows("unshare", [
    ["a new namespace: time", [0x80n], "EPERM"],
    ["descriptors", [0x400n], "allowed"],
  ]),
  ...rows("clone3", [["whatever is in its memory", [0n, 0n], "ENOSYS"]]),
  ...rows("openat2", [["whatever is in its memory", [NO_DESCRIPTOR, 0n, 0n, 0n], "ENOSYS"]]),
  ...ALWAYS.flatMap((call) => rows(call, [["always", [0n, 0n, 0n, 0n, 0n], "EPERM"]])),
];
