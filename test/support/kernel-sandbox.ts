import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, kernelArchitecture } from "../../packages/sandbox/src/kernel/filter-file.ts";
import { SECCOMP_FILTERS } from "../../packages/sandbox/src/kernel/seccomp-filters.ts";
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

/** The words that start a command behind bubblewrap; the filter is read from descriptor 3. */
function bubblewrapCommand({ isFiltered, sharesNetwork, options = [] }: KernelLayer): string[] {
  return [
    ...["bwrap", ...ISOLATION.split(" "), ...options],
    ...(sharesNetwork ? [] : ["--unshare-net"]),
    ...(isFiltered ? ["--seccomp", "3"] : []),
    "--",
  ];
}

/** Starts a command behind bubblewrap, and hands it on. */
export async function withKernelLayer<Result>(
  layer: KernelLayer,
  use: (start: readonly string[], descriptors: readonly [filter: number]) => Promise<Result>,
): Promise<Result> {
  using folder = temporaryDirectory();
  const architecture = nativeArchitecture();
  const filter = join(folder.path, "filter");
  writeFileSync(filter, Uint8Array.fromBase64(SECCOMP_FILTERS[architecture]));
  const descriptor = openSync(filter, "r");
  try {
    return await use(bubblewrapCommand(layer), [descriptor]);
  } finally {
    closeSync(descriptor);
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
