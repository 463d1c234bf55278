import type { Mount } from "./mounts.ts";

const MEBIBYTE = 1_048_576;

/** The most bytes of the folders that each sandbox has of its own. They are in memory, and together at most 1 GiB. */
const PRIVATE_BYTES = {
  "/tmp": 512 * MEBIBYTE,
  home: 256 * MEBIBYTE,
  "/var/tmp": 128 * MEBIBYTE,
  "/dev/shm": 128 * MEBIBYTE,
} as const;

/** Shared folders of the system: programs expect to write there, and other programs put their sockets there. */
export const OWN_FOLDERS: ReadonlyMap<string, Mount> = new Map<string, Mount>([
  ["/tmp", { kind: "private", bytes: PRIVATE_BYTES["/tmp"], mode: "1777" }],
  ["/var/tmp", { kind: "private", bytes: PRIVATE_BYTES["/var/tmp"], mode: "1777" }],
  ["/run", { kind: "hidden-folder" }],
]);

/** The home folder: programs keep their settings and caches there, for as long as the sandbox lasts. */
export const OWN_HOME: Mount = { kind: "private", bytes: PRIVATE_BYTES.home, mode: "0700" };

/** The arguments of bubblewrap for `/dev`, in which nothing can be created but in `/dev/shm`. They follow all mounts. */
export const DEVICES: readonly string[] = [
  ...["--dev", "/dev", "--perms", "1777", "--size", String(PRIVATE_BYTES["/dev/shm"]), "--tmpfs", "/dev/shm"],
  ...["--remount-ro", "/dev"],
];
