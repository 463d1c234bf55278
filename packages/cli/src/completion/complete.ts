import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { dataLayout } from "@mdx-ai/base";
import { isAgentName, shelves } from "@mdx-ai/directory/installed";
import { plainLine } from "@mdx-ai/directory/text";
import { PERMISSION_MODES, readAgentDirectory } from "@mdx-ai/parser";
import { serversOfDirectory } from "@mdx-ai/runtime/declared-servers";
import type { CommandSpec, OptionSpec } from "../arguments/command-spec.ts";
import { argumentTokens } from "../arguments/parse-arguments.ts";
import { SANDBOX_MODES } from "../arguments/run-options.ts";
import { EVERYWHERE } from "../arguments/shared-options.ts";
import type { CommandContext } from "../command-context.ts";
import { agentCommand } from "../command-table/agent-command.ts";
import { COMMANDS } from "../command-table/command-table.ts";
import { SHELLS } from "../commands/completions.ts";
import { EXIT_CODE } from "../failures/program-error.ts";

/** A possible next word with a description. */
interface Candidate {
  readonly word: string;
  readonly meaning?: string;
}

interface ShellContext {
  /** The base of relative paths. Absolute. */
  readonly cwd: string;
  /** Replaces a leading `~`. */
  readonly home?: string | undefined;
  /** The names of the added agents. */
  readonly added: readonly string[];
}

/** A command line up to the cursor. */
interface Line extends ShellContext {
  /** The word to complete; for `--name=value`, the part after "=". */
  readonly word: string;
  /** The named command; `agent` if none is named. */
  readonly spec: CommandSpec;
  /** Positional arguments before the word, without the command's name. */
  readonly positionals: readonly string[];
  /** The option whose value is completed. */
  readonly option?: OptionSpec | undefined;
}

/** Words that may replace the last of `words`. `words` does not include the program's name. Never rejects. */
async function completions(words: readonly string[], frontEnd: ShellContext): Promise<readonly Candidate[]> {
  const given = words.at(-1) ?? "";
  // Bash splits words at "=".
  const isSplit = words.at(-2) === "=" || given === "=";
  const [whole, before] = isSplit ? joined(words) : [given, words.slice(0, -1)];
  const line = readLine(whole, before, frontEnd);
  const kept = isSplit ? "" : whole.slice(0, whole.length - line.word.length);
  const found = await candidates(line, before.length === 0);
  return found
    .filter(({ word }) => word.startsWith(line.word))
    .map(({ word, ...rest }) => ({ word: `${kept}${word}`, ...rest }));
}

function joined(words: readonly string[]): readonly [whole: string, before: readonly string[]] {
  const start = words.lastIndexOf("=") - 1;
  return [words.slice(start).join(""), words.slice(0, Math.max(start, 0))];
}

function readLine(whole: string, before: readonly string[], frontEnd: ShellContext): Line {
  const command = COMMANDS.find(({ name }) => name === before[0]);
  const spec = command ?? agentCommand;
  const options = [...spec.options, ...EVERYWHERE];
  const tokens = argumentTokens(before.slice(command === undefined ? 0 : 1), options);
  const positionals = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const inline = /^--([a-z-]+)=/.exec(whole);
  const last = tokens.at(-1);
  const named = inline?.[1] ?? (last?.kind === "option" && last.value === undefined ? last.name : undefined);
  const option = options.find(
    ({ name, value, isValueOptional }) => name === named && value !== undefined && (inline || !isValueOptional),
  );
  return { ...frontEnd, word: whole.slice(inline?.[0].length ?? 0), spec, positionals, option };
}

async function candidates(line: Line, isFirst: boolean): Promise<readonly Candidate[]> {
  const { word, spec, option } = line;
  if (option !== undefined) return optionValues(option, line);
  if (word.startsWith("-")) return optionNames(word, [...spec.options, ...EVERYWHERE]);
  const commands = COMMANDS.map(({ name, summary }) => ({ word: name, meaning: summary }));
  return isFirst ? [...commands, ...added(line), ...paths(line, "agents")] : positionalValues(line);
}

const added = ({ added: names }: ShellContext): readonly Candidate[] => names.map((word) => ({ word }));

/** The commands that are about added agents alone. */
const OF_ADDED: readonly string[] = ["update", "rollback", "remove", "verify"];

const optionNames = (word: string, options: readonly OptionSpec[]): readonly Candidate[] =>
  options.flatMap(({ name, short, summary: meaning }) => [
    { word: `--${name}`, meaning },
    ...(short === undefined || word.startsWith("--") ? [] : [{ word: `-${short}`, meaning }]),
  ]);

function optionValues({ name, value }: OptionSpec, line: Line): readonly Candidate[] {
  if (name === "session" || name === "session-id") return sessions(line);
  if (name === "sandbox") return SANDBOX_MODES.map((word) => ({ word }));
  if (name === "mode") return PERMISSION_MODES.map((word) => ({ word }));
  if (value === "DIR") return paths(line, "folders");
  return value === "FILE" || value === "PATH" ? paths(line, "all") : [];
}

/** The actions of a command, from its usage: `<dir> [show ID | export ID]`. */
function actionsOf({ positionals }: CommandSpec): readonly string[] {
  const [, actions] = /\[(.+ \| .+)\]$/.exec(positionals) ?? [];
  return actions?.split(" | ").flatMap((action) => action.split(" ", 1)) ?? [];
}

async function positionalValues(line: Line): Promise<readonly Candidate[]> {
  const { spec, positionals } = line;
  if (positionals.length >= spec.maximum) return [];
  if (spec.name === "completions") return SHELLS.map((word) => ({ word }));
  if (OF_ADDED.includes(spec.name)) return added(line);
  if (positionals.length === 0 || ["diff", "check"].includes(spec.name)) return directories(line);
  if (spec.name === "tool" && positionals.length === 1) return tools(line);
  if (spec.name === "mcp" && positionals.length === 2) return servers(line);
  if (positionals.length === 1) return actionsOf(spec).map((word) => ({ word }));
  if (spec.name === "memory") return positionals[1] === "import" ? paths(line, "all") : [];
  return spec.name === "sessions" ? sessions(line) : [];
}

/** What a command is about: an agent by its name or folder, or paths of another kind. */
function directories(line: Line): readonly Candidate[] {
  const kind = FIRST[line.spec.name];
  const names = kind === undefined && line.positionals.length === 0 ? added(line) : [];
  return [...names, ...paths(line, kind ?? "agents")];
}

/** The sessions of the directory on the line. */
const sessions = (line: Line): readonly Candidate[] =>
  entries(dataLayout(directoryOf(line)).sessions).map(({ name }) => ({ word: name }));

async function tools(line: Line): Promise<readonly Candidate[]> {
  const { definition } = await readAgentDirectory(directoryOf(line));
  return definition.tools.map(({ name, description }) => ({
    word: name,
    meaning: description.replaceAll(/\s+/g, " "),
  }));
}

/** The servers that the directory declares. */
async function servers(line: Line): Promise<readonly Candidate[]> {
  const directory = await readAgentDirectory(directoryOf(line));
  return serversOfDirectory(directory).map(({ name, declaredBy }) => ({ word: name, meaning: declaredBy }));
}

const directoryOf = ({ positionals: [directory = "."], ...line }: Line): string => absolute(directory, line);

const absolute = (path: string, { cwd, home }: ShellContext): string =>
  resolve(cwd, home === undefined ? path : path.replace(/^~(?=\/|$)/, home));

/** Which paths to suggest: an agent is a folder or a Markdown file. */
type PathKind = "all" | "folders" | "agents";

/** The kind of path of the first argument, for commands that take no agent or only a folder. */
const FIRST: Readonly<Record<string, PathKind>> = {
  diff: "all",
  check: "all",
  init: "folders",
  types: "folders",
  test: "folders",
  lock: "folders",
};

/** Files and folders in the word's folder; hidden ones if the last part starts with a dot. */
function paths(line: Line, kind: PathKind): readonly Candidate[] {
  const { word } = line;
  const prefix = word.slice(0, word.lastIndexOf("/") + 1);
  const showsHidden = word.slice(prefix.length).startsWith(".");
  return entries(absolute(prefix === "" ? "." : prefix, line))
    .filter(
      ({ name, isFolder }) =>
        (showsHidden || !name.startsWith(".")) && (isFolder || kind === "all" || isTaken(name, kind)),
    )
    .map(({ name, isFolder }) => ({ word: `${prefix}${name}${isFolder ? "/" : ""}` }));
}

const isTaken = (name: string, kind: PathKind): boolean => kind === "agents" && /\.(?:md|markdown)$/i.test(name);

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Empty if the folder cannot be read. */
function entries(folder: string): readonly Entry[] {
  try {
    return readdirSync(folder).map((name) => ({ name, isFolder: isFolder(resolve(folder, name)) }));
  } catch {
    return [];
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** `mdx-ai complete -- WORDS`, which the scripts call: prints each possible last word, a tab and its description. */
export async function completeWords(args: readonly string[], context: CommandContext): Promise<number> {
  const words = (args[0] === "--" ? args.slice(1) : args).map(unquoted);
  const home = context.environment["HOME"];
  const names = shelves(context).flatMap(({ folder }) => entries(folder).map(({ name }) => name));
  const shell = { cwd: context.currentDirectory, home, added: names.filter(isAgentName) };
  for (const { word, meaning } of await completions(words, shell)) {
    // A name with a line break would become two.
    if (plainLine(word) === word)
      context.stdout.write(`${word}${meaning === undefined ? "" : `\t${plainLine(meaning)}`}\n`);
  }
  return EXIT_CODE.done;
}

/** Unquotes a word as a shell would, without running anything. The last quote may be open. */
const unquoted = (word: string): string =>
  word.replaceAll(
    /\\(.)|'([^']*)'?|"([^"]*)"?/g,
    (_, escaped = "", single = "", double = "") => escaped + single + double,
  );
