import { Output } from "./output.ts";

/** The C library of each system. */
const LIBRARIES: Readonly<Record<string, string>> = { linux: "libc.so.6", darwin: "libSystem.B.dylib" };

/**
 * Keeps standard output for one protocol: returns it under another descriptor, and lets what anything else in this process or its children
 * writes there go to standard error, whether by `console`, `process.stdout` or an inherited stream. Call it once, before other code runs.
 * Throws if the system refuses.
 */
export async function keepStandardOutput(): Promise<Output> {
  const { dlopen } = await import("bun:ffi");
  const { symbols } = dlopen(LIBRARIES[process.platform] ?? "libc.so.6", {
    dup: { args: ["i32"], returns: "i32" },
    dup2: { args: ["i32", "i32"], returns: "i32" },
  });
  const kept = symbols.dup(1);
  if (kept < 0 || symbols.dup2(2, 1) < 0) throw new Error("standard output cannot be kept for the protocol");
  return new Output(kept);
}
