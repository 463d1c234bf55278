import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { builtExecutable } from "./place-executable.ts";
import { copyRepository } from "./repository-copy.ts";

/** The packages as `npm run pack` makes them, in a copy of this repository. Disposing removes the copy. */
export interface PackedPackages extends AsyncDisposable {
  /** The copy. Absolute. */
  readonly repository: string;
  /** The package of the command, and that of this machine's executable. Absolute. */
  readonly tarballs: readonly string[];
  /** That of the command. Absolute. */
  readonly command: string;
}

/** Packs the packages, with the executable that is built already if there is one. Rejects if that fails. */
export async function packPackages(): Promise<PackedPackages> {
  const repository = await copyRepository();
  const built = builtExecutable();
  const flags = ["--draft", "--gzip-level=1", ...(built === undefined ? [] : [`--executable=${built}`])];
  await succeed([process.execPath, "--bun", "run", "pack", ...flags], {
    cwd: repository,
    home: join(repository, "home"),
  });
  const tarballs = readdirSync(join(repository, "dist")).map((name) => join(repository, "dist", name));
  return {
    ...{ repository, tarballs, command: tarballs.find((path) => !path.includes(process.platform)) ?? "" },
    [Symbol.asyncDispose]: () => rm(repository, { recursive: true, force: true }),
  };
}

export interface CommandPlace {
  readonly cwd: string;
  /** The home folder of the command's user. */
  readonly home: string;
  /** Where programs are found; default: where this machine has them. */
  readonly path?: string | undefined;
}

/** Runs a command and returns what it prints; rejects unless it exits with 0. */
export async function succeed(command: readonly string[], { cwd, home, path }: CommandPlace): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: path ?? process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}\n${output}${errors}`);
  return output;
}
