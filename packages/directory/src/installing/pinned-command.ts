import { basename } from "node:path";
import type { WrittenServer } from "@mdx-ai/runtime/declared-servers";

/** A command line that may run another program tomorrow. */
export interface UnpinnedCommand {
  /** The word that names the package or image. */
  readonly word: string;
  /** The same with a version, to be filled in. */
  readonly pinned: string;
}

interface Runner {
  /** The first words of the command line, such as `npm exec`. */
  readonly words: readonly string[];
  /** Options that are followed by the package. */
  readonly packageOptions: readonly string[];
  /** Options that are followed by another value. */
  readonly valueOptions: readonly string[];
  readonly isPinned: (word: string) => boolean;
  readonly pin: (word: string) => string;
}

/** An exact version, as npm and PyPI have them. */
const VERSION = String.raw`v?\d+(?:\.\d+){2,3}(?:[-+.]?[0-9A-Za-z][0-9A-Za-z.+-]*)?`;

/** A commit of git, or a path of the directory itself, which the hash of the files covers. */
const isFixed = (word: string): boolean =>
  /#[0-9a-f]{40}$/.test(word) || /^\.{0,2}\//.test(word) || /^\$\{baseDir\}|^\{baseDir\}/.test(word);

const npm = (words: readonly string[]): Runner => ({
  words,
  packageOptions: ["-p", "--package"],
  valueOptions: ["-c", "--call", "-w", "--workspace", "--registry", "--cache", "--userconfig"],
  isPinned: (word) => isFixed(word) || new RegExp(`^(?:npm:)?(?:@[^/@]+/)?[^/@]+@${VERSION}$`).test(word),
  pin: (word) => `${word.replace(/(?<=.)@[^/]*$/, "")}@VERSION`,
});

const python = (words: readonly string[]): Runner => ({
  words,
  packageOptions: ["--from", "--with", "--spec"],
  valueOptions: ["--python", "-p", "--index", "--index-url", "--default-index", "--extra-index-url"],
  isPinned: (word) =>
    isFixed(word) ||
    new RegExp(`^[\\w.-]+(?:\\[[\\w,.-]+\\])?(?:==|@)${VERSION.replace("{2,3}", "{1,4}")}$`).test(word),
  pin: (word) => `${word.replace(/(?:@|[=<>~!]=?).*$/, "")}==VERSION`,
});

const image = (words: readonly string[]): Runner => ({
  words,
  packageOptions: [],
  valueOptions: ["-e", "--env", "-v", "--volume", "--mount", "--name", "-p", "--publish", "--network", "-u", "--user", "-w", "--workdir", "--entrypoint", "--env-file", "--platform", "-l", "--label", "--add-host", "--memory", "-m", "--cpus"], // biome-ignore format: short
  isPinned: (word) => /@sha256:[0-9a-f]{64}$/.test(word),
  pin: (word) => `${word.replace(/:[^/:]*$/, "")}@sha256:DIGEST`,
});

const RUNNERS: readonly Runner[] = [
  ...[["npx"], ["bunx"], ["pnpx"], ["npm", "exec"], ["npm", "x"], ["pnpm", "dlx"], ["yarn", "dlx"], ["bun", "x"], ["deno", "run"]].map(npm), // biome-ignore format: short
  ...[["uvx"], ["uv", "tool", "run"], ["pipx", "run"]].map(python),
  ...[
    ["docker", "run"],
    ["podman", "run"],
    ["nerdctl", "run"],
  ].map(image),
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
    const runner = RUNNERS.find((one) => one.words.every((word, at) => programName(words[index + at]) === word));
    if (runner === undefined) continue;
    const named = packagesIn(words.slice(index + runner.words.length), runner);
    const word = named.find((one) => isPackage(one, runner) && !runner.isPinned(one));
    if (word !== undefined) return { word, pinned: runner.pin(word) };
  }
  return undefined;
}

const programName = (word = ""): string => basename(word).replace(/\.(?:exe|cmd)$/i, "");

/** `deno run` also runs files, which the hash covers. */
const isPackage = (word: string, { words }: Runner): boolean =>
  words[0] !== "deno" || /^(?:npm|jsr|https?):/.test(word);

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
  if (!word.startsWith("-")) return named.length > 0 ? [...others, ...named] : [...others, word];
  const [option, value] = splitOption(word);
  const after = value === undefined ? rest : words.slice(1);
  if (runner.packageOptions.includes(option)) {
    const found = value ?? next;
    const more = option === "--with" ? { named, others: [...others, found] } : { named: [...named, found], others };
    return packagesIn(after, runner, more);
  }
  return packagesIn(runner.valueOptions.includes(option) ? after : words.slice(1), runner, { named, others });
}

/** Such as `--package=x`. */
function splitOption(word: string): readonly [option: string, value?: string] {
  const index = word.startsWith("-") ? word.indexOf("=") : -1;
  return index < 0 ? [word] : [word.slice(0, index), word.slice(index + 1)];
}
