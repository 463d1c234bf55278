import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";

/**
 * Folders of a home where programs are installed, each with the folders that these programs need, which contain neither settings
 * nor keys. Each line starts with the folder of a PATH entry; a line without further names needs that whole folder.
 */
const TOOLCHAINS: readonly (readonly string[])[] = `
.nvm .nvm/versions
.fnm
.n
.nodenv
.volta
.bun .bun/bin .bun/install
.deno .deno/bin
.npm-global .npm-global/bin .npm-global/lib
.npm-packages .npm-packages/bin .npm-packages/lib
.yarn .yarn/bin
.config/yarn/global
.cargo .cargo/bin .cargo/env .cargo/registry .cargo/git .rustup
.rustup
.pyenv
.rye .rye/py .rye/self .rye/shims .rye/tools
.pixi .pixi/bin .pixi/envs
.local .local/bin .local/lib .local/share/uv/python .local/share/uv/tools .local/share/pipx .local/share/mise/installs .local/share/mise/shims .local/share/mise/plugins .local/share/fnm .local/share/pnpm .local/share/gem/ruby
miniconda3
anaconda3
miniforge3
mambaforge
.rbenv
.rvm
.gem .gem/ruby
go go/bin go/pkg
.go
.goenv
.asdf
.sdkman
.jenv
.jbang .jbang/bin .jbang/cache
.ghcup
.cabal .cabal/bin
.opam
.elan
.juliaup
.dotnet .dotnet/dotnet .dotnet/host .dotnet/sdk .dotnet/shared .dotnet/tools
.swiftly
.swiftenv
.pub-cache .pub-cache/bin .pub-cache/hosted .pub-cache/global_packages
flutter
.composer/vendor
.config/composer/vendor
.tfenv
.krew
.foundry/bin
.nix-profile
.linuxbrew`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

interface ToolchainQuestion {
  readonly environment: Environment;
  /** Real. */
  readonly homes: readonly string[];
  /** Folders and files that hold secrets. Absolute. */
  readonly secrets: readonly string[];
  /** The target of a path; undefined if it does not exist. */
  readonly realOf: (path: string) => string | undefined;
}

/**
 * The parts of home folders that programs on the user's PATH need: the folders of PATH, by the names there, and the folders of
 * well-known toolchains. Never a whole home, nor a folder with secrets. Absolute; all exist.
 */
export function toolchainPaths({ environment, homes, secrets, realOf }: ToolchainQuestion): readonly string[] {
  const entries = [...new Set((environment["PATH"] ?? "").split(":"))].filter((entry) => isAbsolute(entry));
  const isSecret = (path: string): boolean => secrets.some((place) => isWithin(path, place) || isWithin(place, path));
  const places = entries.flatMap((entry) => {
    const real = realOf(entry);
    if (real === undefined || homes.some((home) => isWithin(real, home))) return [];
    const home = homes.find((folder) => isWithin(folder, real));
    return [...(home === undefined ? [] : neededFor(real, home)), ...(isSecret(real) ? [] : [entry])];
  });
  return [...new Set(places)];
}

/** The other folders that an entry of PATH in a home needs. */
function neededFor(entry: string, home: string): readonly string[] {
  const [folder = "", ...needed] = TOOLCHAINS.find(([name = ""]) => isWithin(join(home, name), entry)) ?? [];
  const places = folder === "" ? [] : needed.length === 0 ? [folder] : needed;
  return places.map((place) => join(home, place)).filter((place) => existsSync(place));
}
