import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { landlockLauncher } from "../../packages/runtime/src/sandbox/kernel/launcher.ts";
import { seccompFilter } from "../../packages/runtime/src/sandbox/kernel/seccomp-filter.ts";
import { type Architecture, kernelArchitecture } from "../../packages/runtime/src/sandbox/kernel/syscall-numbers.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** This machine's architecture. Throws if the kernel layer is not built for it. */
export function nativeArchitecture(): Architecture {
  const architecture = kernelArchitecture();
  if (architecture === undefined) throw new Error(`the kernel layer is not built for ${process.arch}`);
  return architecture;
}

/** What is applied to a command behind bubblewrap. */
export interface KernelLayer {
  /** The seccomp filter applies. */
  readonly isFiltered?: boolean;
  /** The command is in the network of the host. */
  readonly sharesNetwork?: boolean;
  /** Landlock applies: the paths that may be written. */
  readonly landlock?: { readonly abi: number; readonly paths: readonly string[] };
  /** More options of bubblewrap, such as `["--bind", folder, folder]`. */
  readonly options?: readonly string[];
}

export interface LayerResult {
  /** 128 and the signal's number where a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ISOLATION =
  "--ro-bind / / --dev /dev --proc /proc --tmpfs /run --unshare-pid --unshare-ipc --die-with-parent --cap-drop ALL";

/** The path of the launcher behind bubblewrap. */
const LAUNCHER = "/run/launcher";

/** The words that start a command behind bubblewrap; the filter is read from descriptor 3, the launcher from descriptor 4. */
function bubblewrapCommand({ isFiltered, sharesNetwork, landlock, options = [] }: KernelLayer): string[] {
  const launch = landlock === undefined ? [] : [LAUNCHER, ...landlock.paths, "--"];
  return [
    ...["bwrap", ...ISOLATION.split(" "), ...options],
    ...(sharesNetwork ? [] : ["--unshare-net"]),
    ...(isFiltered ? ["--seccomp", "3"] : []),
    ...(landlock === undefined ? [] : ["--perms", "0500", "--ro-bind-data", "4", LAUNCHER]),
    ...["--", ...launch],
  ];
}

/** Starts a command, whose paths are absolute under Landlock, behind bubblewrap, and hands it on. */
export async function withKernelLayer<Result>(
  layer: KernelLayer,
  use: (start: readonly string[], descriptors: readonly [filter: number, launcher: number]) => Promise<Result>,
): Promise<Result> {
  using folder = temporaryDirectory();
  const architecture = nativeArchitecture();
  const [filter, launcher] = [join(folder.path, "filter"), join(folder.path, "launcher")];
  writeFileSync(filter, seccompFilter(architecture));
  writeFileSync(launcher, landlockLauncher(architecture, layer.landlock?.abi ?? 2));
  const descriptors = [openSync(filter, "r"), openSync(launcher, "r")] as const;
  try {
    return await use(bubblewrapCommand(layer), descriptors);
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/** Runs a command behind bubblewrap to its end. */
export const runUnderLayer = (command: readonly string[], layer: KernelLayer): Promise<LayerResult> =>
  withKernelLayer(layer, async (start, descriptors) => {
    const child = Bun.spawn([...start, ...command], {
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { exitCode, stdout, stderr };
  });
