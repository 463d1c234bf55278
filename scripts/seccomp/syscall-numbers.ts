import type { Architecture } from "../../packages/sandbox/src/kernel/filter-file.ts";

/**
 * The numbers of the denied system calls on x64 and, if it has the call, on arm64. From `arch/x86/entry/syscalls/syscall_64.tbl`
 * and `scripts/syscall.tbl` of Linux 6.18, which match `<asm/unistd.h>`.
 */
const NUMBERS = {
  open: [2],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  creat: [85],
  chmod: [90],
  fchmod: [91, 52],
  ptrace: [101, 117],
  syslog: [103, 116],
  mknod: [133],
  pivot_root: [155, 41],
  chroot: [161, 51],
  acct: [163, 89],
  mount: [165, 40],
  umount2: [166, 39],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  init_module: [175, 105],
  delete_module: [176, 106],
  quotactl: [179, 60],
  kexec_load: [246, 104],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  openat: [257, 56],
  mknodat: [259, 33],
  fchmodat: [268, 53],
  unshare: [272, 97],
  perf_event_open: [298, 241],
  open_by_handle_at: [304, 265],
  setns: [308, 268],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  finit_module: [313, 273],
  kexec_file_load: [320, 294],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  // Since 424 all architectures number alike.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  clone3: [435, 435],
  openat2: [437, 437],
  pidfd_getfd: [438, 438],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  fchmodat2: [452, 452],
  open_tree_attr: [467, 467],
} as const;

/** A system call that the filter knows. */
export type SystemCall = keyof typeof NUMBERS;

/** The number of a system call; undefined if the architecture does not have it. */
export function syscallNumber(call: SystemCall, architecture: Architecture): number | undefined {
  const numbers: readonly number[] = NUMBERS[call];
  return numbers[architecture === "x64" ? 0 : 1];
}

/** The newest system call of the tables above: `file_setattr`. Higher numbers are unknown to the filter. */
export const NEWEST_SYSCALL = 469;
