import { basename } from "node:path";
import { defined } from "@mdx-ai/base";
import type { WrittenServer } from "@mdx-ai/runtime/declared-servers";

/** A command line that may run another program tomorrow. */
export interface UnpinnedCommand {
  /** The word that names the package or image. */
  readonly word: string;
  /** The same with a version; without one, that is to be filled in. */
  readonly pinned: (version?: string) => string;
  readonly registry: "npm" | "pypi" | "go" | "image";
  /** The name by which the registry can be asked for a version. */
  readonly package?: string;
}

/** What a runner's words name. */
interface Registry {
  readonly name: "npm" | "pypi" | "go" | "image";
  readonly isPinned: (word: string) => boolean;
  readonly pin: (word: string, version: string) => string;
  /** The package without its version, by which the registry knows it; undefined if the word names no package of the registry. */
  readonly packageOf: (word: string) => string | undefined;
}

interface Runner {
  /** The first words of the command line, such as `npm exec`; options may be between them. */
  readonly words: readonly string[];
  readonly registry: Registry;
  /** Options that are followed by the package. */
  readonly packageOptions?: readonly string[];
  /** Options that are followed by another value. */
  readonly valueOptions?: readonly string[];
  /** Whether the first other word is a package. Default: it is. */
  readonly isPackage?: (word: string) => boolean;
}

/** An exact version, as npm and PyPI have them. */
const VERSION = String.raw`v?\d+(?:\.\d+){2,3}(?:[-+.]?[0-9A-Za-z][0-9A-Za-z.+-]*)?`;

/** A commit of git, or a path of the directory itself, which the hash of the files covers. */
const isFixed = (word: string): boolean =>
  /#[0-9a-f]{40}$/.test(word) || /^\.{0,2}\//.test(word) || /^\$\{baseDir\}|^\{baseDir\}/.test(word);

const NPM: Registry = {
  name: "npm",
  isPinned: (word) => isFixed(word) || new RegExp(`^(?:npm:)?(?:@[^/@]+/)?[^/@]+@${VERSION}$`).test(word),
  pin: (word, version) => `${word.replace(/(?<=.)@[^/]*$/, "")}@${version}`,
  packageOf: (word) => /^(?:npm:)?((?:@[\w.-]+\/)?[\w.-]+)(?:@[^/]*)?$/.exec(word)?.[1],
};

const PYPI: Registry = {
  name: "pypi",
  isPinned: (word) =>
    isFixed(word) ||
    new RegExp(`^[\\w.-]+(?:\\[[\\w,.-]+\\])?(?:==|@)${VERSION.replace("{2,3}", "{1,4}")}$`).test(word),
  pin: (word, version) => `${word.replace(/(?:@|[=<>~!]=?).*$/, "")}==${version}`,
  packageOf: (word) => /^([A-Za-z0-9][\w.-]*)(?:\[[\w,.-]+\])?(?:[@=<>~!].*)?$/.exec(word)?.[1],
};

const GO: Registry = {
  name: "go",
  isPinned: (word) => new RegExp(`@(?:${VERSION}|[0-9a-f]{40})$`).test(word),
  pin: (word, version) => `${word.replace(/@.*$/, "")}@v${version}`,
  packageOf: () => undefined,
};

const IMAGE: Registry = {
  name: "image",
  isPinned: (word) => /@sha256:[0-9a-f]{64}$/.test(word),
  pin: (word, digest) => `${word.replace(/:[^/:]*$/, "")}@sha256:${digest}`,
  packageOf: (word) => (word.includes("@") ? undefined : word),
};

const NPM_OPTIONS: Pick<Runner, "registry" | "packageOptions" | "valueOptions"> = {
  registry: NPM,
  packageOptions: ["-p", "--package"],
  valueOptions: ["-c", "--call", "-w", "--workspace", "--registry", "--cache", "--userconfig", "--prefix", "-C", "--dir", "--cwd"], // biome-ignore format: short
};

const PYPI_OPTIONS: Pick<Runner, "registry" | "packageOptions" | "valueOptions"> = {
  registry: PYPI,
  packageOptions: ["--from", "--with", "--spec"],
  valueOptions: ["--python", "-p", "--index", "--index-url", "--default-index", "--extra-index-url", "--directory", "--project", "--pip-args"], // biome-ignore format: short
};

const IMAGE_OPTIONS: Pick<Runner, "registry" | "valueOptions"> = {
  registry: IMAGE,
  valueOptions: ["-e", "--env", "-v", "--volume", "--mount", "--name", "-p", "--publish", "--network", "-u", "--user", "-w", "--workdir", "--entrypoint", "--env-file", "--platform", "-l", "--label", "--add-host", "--memory", "-m", "--cpus", "--context", "-H", "--host", "--config"], // biome-ignore format: short
};

/** The programs that fetch what they run. A longer row comes before one that it begins with. */
const RUNNERS: readonly Runner[] = [
  { words: ["npx"], ...NPM_OPTIONS },
  { words: ["npm", "exec"], ...NPM_OPTIONS },
  { words: ["npm", "x"], ...NPM_OPTIONS },
  { words: ["bunx"], ...NPM_OPTIONS },
  { words: ["bun", "x"], ...NPM_OPTIONS },
  { words: ["pnpx"], ...NPM_OPTIONS },
  { words: ["pnpm", "dlx"], ...NPM_OPTIONS },
  { words: ["yarn", "dlx"], ...NPM_OPTIONS },
  // It also runs files, which the hash covers.
  { words: ["deno", "run"], ...NPM_OPTIONS, isPackage: (word) => /^(?:npm|jsr|https?):/.test(word) },
  { words: ["uvx"], ...PYPI_OPTIONS },
  { words: ["uv", "tool", "run"], ...PYPI_OPTIONS },
  // It runs a file or a program of the project.
  { words: ["uv", "run"], ...PYPI_OPTIONS, isPackage: () => false },
  { words: ["pipx", "run"], ...PYPI_OPTIONS },
  { words: ["go", "run"], registry: GO, isPackage: (word) => word.includes("@") },
  { words: ["docker", "run"], ...IMAGE_OPTIONS },
  { words: ["docker", "container", "run"], ...IMAGE_OPTIONS },
  { words: ["podman", "run"], ...IMAGE_OPTIONS },
  { words: ["podman", "container", "run"], ...IMAGE_OPTIONS },
  { words: ["nerdctl", "run"], ...IMAGE_OPTIONS },
];

/**
 * What the command line of a server runs that has no exact version, as far as it names a runner of packages or images; undefined if it is
 * pinned, or runs a program of this machine or of the directory.
 */
export function unpinnedCommand({
  command,
  args = [],
}: Pick<WrittenServer["written"], "command" | "args">): UnpinnedCommand | undefined {
  if (command === undefined) return undefined;
  // A command may be within another one, such as `env A=1 npx x` or `sh -c "npx x"`.
  const words = [command, ...args].flatMap((word) => (/\s/.test(word) ? word.split(/[\s;&|()"']+/) : [word])).filter((word) => word !== ""); // biome-ignore format: short
  for (const index of words.keys()) {
    const found = runnerAt(words.slice(index));
    if (found === undefined) continue;
    const { runner, rest } = found;
    const word = packagesIn(rest, runner).find((one) => !runner.registry.isPinned(one));
    if (word === undefined) continue;
    const { name, pin, packageOf } = runner.registry;
    const known = packageOf(word);
    return {
      word,
      pinned: (version = name === "image" ? "DIGEST" : "VERSION") => pin(word, version),
      registry: name,
      ...defined({ package: known }),
    };
  }
  return undefined;
}

/** The runner whose words a command line begins with, and the words after them. */
function runnerAt(words: readonly string[]): { readonly runner: Runner; readonly rest: readonly string[] } | undefined {
  for (const runner of RUNNERS) {
    const rest = restAfter(words, runner, runner.words);
    if (rest !== undefined) return { runner, rest };
  }
  return undefined;
}

function restAfter(
  words: readonly string[],
  runner: Runner,
  [wanted, ...others]: readonly string[],
): readonly string[] | undefined {
  if (wanted === undefined) return words;
  const [word, ...rest] = words;
  if (word === undefined) return undefined;
  if (programName(word) === wanted) return restAfter(rest, runner, others);
  const isBetween = others.length + 1 < runner.words.length && word.startsWith("-");
  if (!isBetween) return undefined;
  return restAfter(runner.valueOptions?.includes(word) ? rest.slice(1) : rest, runner, [wanted, ...others]);
}

const programName = (word = ""): string => basename(word).replace(/\.(?:exe|cmd)$/i, "");

/** Packages that options name: those that have the command, and others. */
interface NamedPackages {
  readonly named: readonly string[];
  readonly others: readonly string[];
}

/** The packages of a runner's arguments: those of options, and the first other word unless an option names where it is from. */
function packagesIn(
  words: readonly string[],
  runner: Runner,
  { named, others }: NamedPackages = { named: [], others: [] },
): readonly string[] {
  const [word, next = "", ...rest] = words;
  if (word === undefined) return [...others, ...named];
  const { packageOptions = [], valueOptions = [], isPackage = () => true } = runner;
  if (!word.startsWith("-")) return [...others, ...(named.length > 0 ? named : [word].filter(isPackage))];
  const [option, value] = splitOption(word);
  const after = value === undefined ? rest : words.slice(1);
  if (packageOptions.includes(option)) {
    const found = value ?? next;
    const more = option === "--with" ? { named, others: [...others, found] } : { named: [...named, found], others };
    return packagesIn(after, runner, more);
  }
  return packagesIn(valueOptions.includes(option) ? after : words.slice(1), runner, { named, others });
}

/** Such as `--package=x`. */
function splitOption(word: string): readonly [option: string, value?: string] {
  const index = word.startsWith("-") ? word.indexOf("=") : -1;
  return index < 0 ? [word] : [word.slice(0, index), word.slice(index + 1)];
}
