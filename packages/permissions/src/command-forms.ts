import { basename } from "node:path";
import { shellWords } from "./shell-words.ts";

/** The depth of nested shell texts, such as the argument of `sh -c`, that is inspected. */
const MAX_LEVELS = 8;

/** The most words of one command that are tried as the start of a nested command. */
const MAX_STARTS = 50;

/** Words before a command that do not change what it does. */
const KEYWORDS: ReadonlySet<string> = new Set("if then elif else do while until ! { coproc".split(" "));

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** Programs that run the command in their arguments, each with its options that take a value. */
const WRAPPERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    builtin: "",
    busybox: "",
    command: "",
    doas: "-a -C -u",
    env: "-a -C -u --argv0 --chdir --unset",
    exec: "-a",
    ionice: "-c -n --class --classdata",
    nice: "-n --adjustment",
    nohup: "",
    setsid: "",
    stdbuf: "-e -i -o --error --input --output",
    sudo: "-C -D -g -h -p -R -r -T -t -U -u --chdir --chroot --close-from --command-timeout --group --host --other-user --prompt --role --type --user",
    time: "-f -o --format --output",
    timeout: "-k -s --kill-after --signal",
    xargs:
      "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-chars --max-lines --max-procs --process-slot-var",
  }),
);

const SHELLS: ReadonlySet<string> = new Set("ash bash csh dash fish ksh mksh rbash sh su tcsh yash zsh".split(" "));

/** Options before a subcommand that take no value; for other options, only the program knows. */
const FLAGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    git: "-P -p --bare --glob-pathspecs --icase-pathspecs --literal-pathspecs --no-advice --no-lazy-fetch --no-optional-locks --no-pager --no-replace-objects --noglob-pathspecs --paginate",
    npm: "-d -dd -ddd -f -g -l -q -s -y --dry-run --force --global --ignore-scripts --json --long --no-audit --no-fund --no-progress --offline --parseable --quiet --silent --verbose --yes",
  }),
);

/** The values that npm accepts for a flag. */
const FLAG_VALUE = /^(?:true|false|null)$/;

/** The words that begin and end a command in the arguments of `find`. */
const FIND_LIMITS: ReadonlySet<string> = new Set("-exec -execdir -ok -okdir ; +".split(" "));

/**
 * The commands of a shell text in their plain forms, used to find denied commands. A plain form joins the words by single blanks
 * and drops quotes, keywords, assignments, wrapper programs, the folder of the program, and options before a subcommand. Also
 * inspects the text of `sh -c`, `eval` and the like. Runs in linear time.
 */
export function commandForms(text: string): readonly string[] {
  return formsOfText(text, MAX_LEVELS);
}

function formsOfText(text: string, levels: number): readonly string[] {
  return levels === 0 ? [] : shellWords(text).flatMap((words) => formsOfWords(words, levels));
}

function formsOfWords(words: readonly string[], levels: number): readonly string[] {
  const starts = commandStarts(words);
  const wrapped = few(starts).flatMap((start) => namedForms(words.slice(start)));
  const command = words.slice(starts.at(-1));
  return [
    ...wrapped,
    ...formsWithoutOptions(command),
    ...[...innerTexts(command), ...splitTexts(words, starts)].flatMap((text) => formsOfText(text, levels - 1)),
    ...(levels > 1 ? innerCommands(command).flatMap((inner) => formsOfWords(inner, levels - 1)) : []),
  ];
}

/** The start of a command, and of the one that each wrapper runs. Not empty. */
function commandStarts(words: readonly string[]): readonly number[] {
  const starts = [afterPrefixes(words, 0)];
  for (let start = starts[0] ?? 0; start < words.length; ) {
    const name = basename(words[start] ?? "");
    const options = WRAPPERS.get(name)?.split(" ");
    if (options === undefined) break;
    const operands = name === "timeout" ? 1 : 0;
    start = afterPrefixes(words, afterOptions(words, start + 1, options) + operands);
    starts.push(start);
  }
  return starts;
}

function afterPrefixes(words: readonly string[], start: number): number {
  let index = start;
  for (let word = words[index]; word !== undefined; word = words[index]) {
    if (word === "function") index += 2;
    else if (KEYWORDS.has(word) || ASSIGNMENT.test(word)) index += 1;
    else break;
  }
  return index;
}

function afterOptions(words: readonly string[], start: number, withValue: readonly string[]): number {
  let index = start;
  for (let word = words[index]; word?.startsWith("-") || ASSIGNMENT.test(word ?? ""); word = words[index]) {
    index += takesValue(word ?? "", withValue) ? 2 : 1;
  }
  return index;
}

/** Whether the value of an option is the next word: not in `--user=me` and `-ume`. */
function takesValue(option: string, withValue: readonly string[]): boolean {
  if (!/^-[^-]/.test(option)) return withValue.includes(option);
  const first = [...option].findIndex((letter, index) => index > 0 && withValue.includes(`-${letter}`));
  return first === option.length - 1;
}

/** The name of a program as written, and without its folder. */
function namedForms([name = "", ...words]: readonly string[]): readonly string[] {
  return [...new Set([name, basename(name)])].map((program) => [program, ...words].join(" "));
}

/** `git -C . push` as `git push`, and as `git . push`: most options may take a value or none. */
function formsWithoutOptions([name = "", ...words]: readonly string[]): readonly string[] {
  const starts: number[] = [];
  const flags = FLAGS.get(basename(name))?.split(" ");
  let option: string | undefined;
  for (const [index, word] of words.entries()) {
    if (word.startsWith("-")) {
      option = word.includes("=") ? undefined : word;
      continue;
    }
    if (index > 0 && !word.includes("=")) starts.push(index);
    const mayBeValue = option !== undefined && (flags?.includes(option) !== true || FLAG_VALUE.test(word));
    if (!mayBeValue) break;
    option = undefined;
  }
  return few(starts).map((start) => [basename(name), ...words.slice(start)].join(" "));
}

/** The shell texts in the arguments of a command. */
function innerTexts([name = "", ...words]: readonly string[]): readonly string[] {
  const program = basename(name);
  if (program === "eval") return [afterDashes(words).join(" ")];
  if (program === "trap") return afterDashes(words).slice(0, 1);
  if (!SHELLS.has(program)) return [];
  const option = words.findIndex((word) => /^-[A-Za-z]*c/.test(word));
  // Any later argument may be the text: the ones before it may be values of options.
  return option === -1 ? [] : words.slice(option + 1);
}

/** Removes a leading `--`. */
const afterDashes = (words: readonly string[]): readonly string[] => (words[0] === "--" ? words.slice(1) : words);

/** The option `-S` of env, alone or joined with other letters and its value. */
const SPLIT = /^(?:-[A-Za-z0-9]*?S|--s[a-z-]*=?)/;

/** The result of the first `env -S`, which holds options and variables of env before the command. */
function splitTexts(words: readonly string[], starts: readonly number[]): readonly string[] {
  for (const [index, start] of starts.entries()) {
    if (basename(words[start] ?? "") !== "env") continue;
    const options = words.slice(start + 1, starts[index + 1]);
    const split = options.findIndex((word) => SPLIT.test(word));
    if (split === -1) continue;
    const [option = "", ...rest] = words.slice(start + 1 + split);
    return [["env", option.replace(SPLIT, ""), ...rest].join(" ").replaceAll("\\_", " ")];
  }
  return [];
}

/** The commands that `find` runs. */
function innerCommands([name = "", ...words]: readonly string[]): readonly (readonly string[])[] {
  if (basename(name) !== "find") return [];
  const limits = words.flatMap((word, index) => (FIND_LIMITS.has(word) ? [index] : []));
  return limits.map((limit, index) => words.slice(limit + 1, limits[index + 1])).filter((inner) => inner.length > 0);
}

/** The first words and the last one: each makes a form as long as the command. */
const few = (starts: readonly number[]): readonly number[] =>
  starts.length <= MAX_STARTS ? starts : [...starts.slice(0, MAX_STARTS - 1), ...starts.slice(-1)];
