/** `LANDLOCK_CREATE_RULESET_VERSION`: the call returns the version of the kernel's interface, and makes nothing. */
const VERSION = 1;

/** The number of `landlock_create_ruleset`, on all architectures. */
const CREATE_RULESET = 444n;

/** The C library, as systems with glibc and with musl name it. */
const LIBRARIES: readonly string[] = ["libc.so.6", `libc.musl-${process.arch === "x64" ? "x86_64" : "aarch64"}.so.1`];

/**
 * The version of Landlock's interface that this kernel has, from 1; 0 if it has none, or if Landlock is turned off. Never
 * rejects.
 */
export async function landlockAbi(): Promise<number> {
  if (process.platform !== "linux") return 0;
  const { dlopen } = await import("bun:ffi");
  for (const library of LIBRARIES) {
    try {
      const { symbols, close } = dlopen(library, {
        syscall: { args: ["i64", "ptr", "u64", "u32"], returns: "i64" },
      });
      const version = Number(symbols.syscall(CREATE_RULESET, null, 0n, VERSION));
      close();
      return Math.max(version, 0);
    } catch {
      // This system has another C library.
    }
  }
  return 0;
}

/** The oldest version that can rename from folder to folder; the first one denied that everywhere. */
export const LEAST_LANDLOCK_ABI = 2;

/** Rights to change a file, as bits: `LANDLOCK_ACCESS_FS_…` in `<linux/landlock.h>`. */
const WRITE_FILE = 1 << 1;
/** Since version 3. */
const TRUNCATE = 1 << 14;
/** From `REMOVE_DIR` to `MAKE_SYM`, and `REFER`, by which a file goes to another folder. */
const CHANGE_FOLDER = 0x1ff0 | (1 << 13);

/** `LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET` and `LANDLOCK_SCOPE_SIGNAL`, since version 6. */
const SCOPES = 3;

/** The content of a sandbox's Landlock ruleset, as the bits of `<linux/landlock.h>`. */
export interface LandlockRights {
  /** Denied unless granted. Reading and executing are not among them. */
  readonly handled: number;
  /** The rights granted below a folder. */
  readonly folder: number;
  /** The rights granted to a single file. */
  readonly file: number;
  /** Processes outside that the ruleset separates: their abstract sockets, and signals to them. */
  readonly scoped: number;
}

/** The rights over which a version of the interface, at least `LEAST_LANDLOCK_ABI`, can decide. */
export function landlockRights(abi: number): LandlockRights {
  const file = WRITE_FILE | (abi >= 3 ? TRUNCATE : 0);
  const folder = file | CHANGE_FOLDER;
  return { handled: folder, folder, file, scoped: abi >= 6 ? SCOPES : 0 };
}
