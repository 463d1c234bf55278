import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtFiles } from "./build-library.ts";
import { executablePlatform } from "./executable-platform.ts";
import { thirdPartyNotices } from "./licenses/third-party-notices.ts";
import { PRODUCTION } from "./production.ts";
import { recordProfile } from "./record-profile.ts";

const ROOT = join(import.meta.dir, "..");

/** Delays compiling code to machine code: a prompt ends before that pays off. Ten would save more, but slows down parsing a large file. */
const JIT_POLICY = 5;

/** Platforms with a package, by Node's name, with Bun's name. */
const TARGETS: ReadonlyMap<string, Bun.Build.CompileTarget> = new Map([
  ["linux-x64", "bun-linux-x64"],
  ["linux-arm64", "bun-linux-arm64"],
  ["darwin-x64", "bun-darwin-x64"],
  ["darwin-arm64", "bun-darwin-arm64"],
]);

export interface ExecutableOptions {
  /** The path of the executable. Absolute. */
  readonly outfile: string;
  /**
   * The target platform, such as `linux-x64`. Default: this machine's. Another platform's Bun is fetched from the package registry once.
   */
  readonly platform?: string;
}

/** The executable could not be built; the message is the bundler's. */
class BuildError extends Error {
  override readonly name = "BuildError";
}

/**
 * Builds the command as one executable, in two passes: the second pass places the functions that a run of the first one uses next to each
 * other, which makes it start about a tenth faster. Rejects with `BuildError` or `ProfileError`.
 */
export async function buildExecutable({ outfile, platform }: ExecutableOptions): Promise<void> {
  const target = platform === undefined ? undefined : TARGETS.get(platform);
  if (platform !== undefined && target === undefined) throw new BuildError(`There is no platform "${platform}".`);
  const folder = await mkdtemp(join(tmpdir(), "mdx-ai-build-"));
  try {
    const draft = join(folder, "mdx-ai");
    const files = await builtFiles(await thirdPartyNotices());
    await compile(ENTRIES, { outfile: draft }, files);
    const bytecodeOrder = await recordProfile(draft, folder);
    await compile(ENTRIES, { outfile, bytecodeOrder, ...(target !== undefined && { target }) }, files);
    await inspect(outfile, platform);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies a finished executable. Rejects with `BuildError` if it is for another platform. */
export async function copyExecutable(built: string, { outfile, platform }: ExecutableOptions): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  await copyFile(built, outfile);
  await inspect(outfile, platform);
}

/** What to do with an executable for darwin-x64: Bun signs those for arm64 alone. */
export const unsignedNote = (outfile: string): string =>
  `Its signature is invalid. Sign it on a Mac: codesign --force --sign - ${outfile}`;

/** Rejects unless an executable is for the platform (default: this machine's). */
async function inspect(outfile: string, platform = `${process.platform}-${process.arch}`): Promise<void> {
  const found = await executablePlatform(outfile);
  if (found !== platform)
    throw new BuildError(`${outfile} is for ${found ?? "an unknown platform"}, not for ${platform}.`);
}

const ENTRIES: readonly string[] = [join(ROOT, "packages/cli/src/main.ts")];

/**
 * Compiles files into an executable, the first of which it runs; all are absolute. Agent modules may import from their own
 * node_modules (hence package.json is read); nothing that lies in the current folder changes or runs anything, and such an
 * executable never installs packages. Split, so that an `import()` costs nothing until it runs. `files` replace sources, by path.
 * Rejects with `BuildError`.
 */
export async function compile(
  entries: readonly string[],
  options: Pick<Bun.CompileBuildOptions, "outfile" | "target" | "bytecodeOrder">,
  files: Record<string, string> = {},
): Promise<void> {
  try {
    await Bun.build({
      entrypoints: [...entries],
      files,
      ...PRODUCTION,
      naming: { entry: "[name].[ext]" },
      compile: {
        ...options,
        autoloadDotenv: false,
        autoloadBunfig: false,
        autoloadTsconfig: false,
        autoloadPackageJson: true,
        jitPolicy: JIT_POLICY,
      },
      format: "esm",
      splitting: true,
      bytecode: true,
      minify: true,
    });
  } catch (cause) {
    const complaints = cause instanceof AggregateError ? cause.errors : [cause];
    throw new BuildError(["The executable could not be built.", ...complaints].join("\n"), { cause });
  }
}
