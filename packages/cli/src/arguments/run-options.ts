import { unlocated, validate } from "@mdx-ai/base/schema";
import {
  agentFolder,
  dataDirectory,
  type FrontEnd,
  isAgentFile,
  type ModelChoice,
  NEW_SESSION,
  type PermissionFlags,
  type RunOptions,
  requireAgent,
} from "@mdx-ai/directory";
import { type Configuration, type ConfigurationValues, configurationSchema, FLAGS, modelList } from "@mdx-ai/models";
import { PERMISSION_MODES, permissionPattern, type SandboxMode } from "@mdx-ai/parser";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import type { ParsedArguments } from "./command-spec.ts";
import { dataOption, existingPath, numberOf, numberOption, textOption, wordOption } from "./option-values.ts";

type Place = Pick<FrontEnd, "currentDirectory">;

/** Reads the command line of a run and checks it as far as possible without reading the directory. Throws `UsageError`. */
export function readRunOptions(args: ParsedArguments, place: Place): RunOptions {
  const session = sessionOption(args);
  checkSessionWords(args);
  const workspace = workspaceOption(args, place);
  const permissions = readPermissionFlags(args);
  const data = dataOption(args, place);
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  const isPatient = args.switches.has("wait-for-answers");
  const seconds = numberOption(args, { name: "wait-for-answers", minimum: 1, maximum: YEAR });
  const answersWithin = isPatient ? Number.POSITIVE_INFINITY : seconds;
  const mcpConfig = args.values.get("mcp-config");
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workspace ?? place.currentDirectory,
    ...(workspace !== undefined && { workspace }),
    isTrusted: args.switches.has("trust"),
    isEphemeral: args.switches.has("ephemeral"),
    isContinued: args.switches.has("continue"),
    isResumed: args.switches.has("resume"),
    isWaiting: args.switches.has("wait"),
    ...(session !== undefined && { session }),
    ...(args.values.has("session-id") && { isExisting: true }),
    ...(data !== undefined && { data }),
    ...readModelChoice(args),
    ...permissions,
    ...(maxTurns !== undefined && { maxTurns }),
    ...(answersWithin !== undefined && { answersWithin }),
    ...(mcpConfig !== undefined && {
      mcpConfig: existingPath(mcpConfig, { name: "mcp-config", kind: "file" }, place),
    }),
  };
}

/** Why there is no folder for answers of other processes. */
export const NO_ANSWERS = "answers are kept nowhere: HOME is not set, or the agent directory holds your own state";

/** Seconds. */
const YEAR = 365 * 24 * 60 * 60;

/** The value of `--session` or `--session-id`; undefined without either. Throws `UsageError`. */
function sessionOption({ values }: ParsedArguments): string | undefined {
  const [session, id] = [values.get("session"), values.get("session-id")];
  if (session === undefined || id === undefined) return session ?? id;
  throw new UsageError("--session and --session-id name two sessions; leave one out");
}

/** The absolute folder of `--workspace`, `--cwd` or `-w`; undefined without them. Throws `UsageError`. */
function workspaceOption({ values, switches }: ParsedArguments, place: Place): string | undefined {
  const named = ["workspace", "cwd"].filter((name) => values.has(name));
  const all = [...named.map((name) => `--${name}`), ...(switches.has("here") ? ["-w"] : [])];
  if (all.length > 1) throw new UsageError(`${all[0]} and ${all[1]} name two workspaces; leave one out`);
  const [name] = named;
  if (name === undefined) return switches.has("here") ? place.currentDirectory : undefined;
  return existingPath(values.get(name) ?? "", { name, kind: "folder" }, place);
}

/** Throws `UsageError` if session options contradict each other. */
function checkSessionWords({ values, switches }: ParsedArguments): void {
  const session = values.get("session") ?? values.get("session-id");
  const named = [
    ...(session === undefined ? [] : ["--session"]),
    ...["continue", "resume", "wait"].filter((name) => switches.has(name)).map((name) => `--${name}`),
  ];
  if (switches.has("ephemeral") && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so ${named[0]} has no effect; leave one out`);
  }
  if (session === undefined) return;
  if (switches.has("continue")) throw new UsageError("--session and --continue name two sessions; leave one out");
  if (session === NEW_SESSION && switches.has("resume")) {
    throw new UsageError("a new session has nothing to resume; name another one with --session ID");
  }
}

export const SANDBOX_MODES: readonly SandboxMode[] = ["auto", "required", "off"];

/** Reads the permissions and the sandbox mode of a command line. Throws `UsageError`. */
export function readPermissionFlags(args: ParsedArguments): PermissionFlags {
  const [allow, deny] = [patterns(args, "allow"), patterns(args, "deny")];
  const sandboxMode = wordOption(args, "sandbox", SANDBOX_MODES);
  const mode = wordOption(args, "mode", PERMISSION_MODES);
  if (mode === "plan" && args.switches.has("allow-all")) {
    throw new UsageError("--mode plan allows only reads, so --allow-all has no effect; leave one out");
  }
  return {
    ...{ allow, deny },
    allowsAll: args.switches.has("allow-all"),
    ...(mode !== undefined && { mode }),
    ...(sandboxMode !== undefined && { sandboxMode }),
  };
}

/** A denial that matches nothing has no effect, so each pattern must be valid. */
function patterns({ lists }: ParsedArguments, name: string): readonly string[] {
  const given = lists.get(name) ?? [];
  const malformed = given.find((text) => permissionPattern(text) === undefined);
  if (malformed === undefined) return given;
  throw new UsageError(
    `--${name} needs a pattern such as bash, 'bash(git *)', 'write_file(out/**)' or 'mcp.*', but got ${JSON.stringify(malformed)}`,
  );
}

type FieldName = keyof ConfigurationValues & keyof typeof FLAGS;

/** Reads the model settings of a command line. Throws `UsageError`. */
export function readModelChoice(args: ParsedArguments): ModelChoice {
  const flags = readFlags(args);
  const configuration = textOption(args, "config", "a file");
  return { flags, ...(configuration !== undefined && { configuration }) };
}

function readFlags(args: ParsedArguments): Configuration {
  const flag = <Name extends FieldName>(name: Name, read: (text: string) => unknown, expected?: string) =>
    fieldOf(args, name, { read, expected });
  const model = flag("model", modelsOf);
  const temperature = flag("temperature", numberOf);
  const maxTokens = flag("max_tokens", numberOf);
  const thinking = flag("thinking", thinkingOf, "`adaptive`, `off` or a budget of tokens");
  const effort = flag("reasoning_effort", (text) => text);
  const retries = flag("retries", retriesOf);
  const timeout = flag("timeout", numberOf);
  return {
    ...(model !== undefined && { model }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(thinking !== undefined && { thinking }),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(retries !== undefined && { retries }),
    ...(timeout !== undefined && { timeout }),
    ...(args.switches.has("no-stream") && { stream: false }),
    ...(args.switches.has("no-offline") && { offline: false }),
  };
}

/** How to read a flag's text, and the description of its value. Default: the schema's. */
interface FlagText {
  readonly read: (text: string) => unknown;
  readonly expected?: string | undefined;
}

function fieldOf<Name extends FieldName>(
  args: ParsedArguments,
  name: Name,
  { read, expected }: FlagText,
): ConfigurationValues[Name] | undefined {
  const flag = FLAGS[name];
  const text = args.values.get(flag.slice(2));
  if (text === undefined) return undefined;
  const schema = configurationSchema();
  const { value = {}, problems } = validate(schema, unlocated({ [name]: read(text) }));
  if (problems.length === 0) return value[name];
  const needed = expected ?? schema.properties?.[name]?.title;
  throw new UsageError(`${flag} needs ${needed}, but got ${JSON.stringify(text)}`);
}

/** A single value is kept as it is, since a path may contain the list separator. */
const modelsOf = (text: string): unknown => (text.includes(",") ? modelList(text) : text);

const thinkingOf = (text: string): unknown => (/^\d+$/.test(text) ? { budget: Number(text) } : text);

const retriesOf = (text: string): unknown => (text.includes(",") ? text.split(",").map(numberOf) : numberOf(text));

/** The folder for the sessions, state and logs of the agent on a command line. Throws as `requireAgent` and `dataDirectory` do. */
export function agentData(
  directory: string,
  { args, isWriting }: { readonly args: ParsedArguments; readonly isWriting: boolean },
  context: CommandContext,
): string {
  const agentDir = agentFolder(directory, context);
  if (!isAgentFile(directory, context)) requireAgent(agentDir);
  return dataDirectory({ agentDir, data: dataOption(args, context), isWriting }, context);
}

/**
 * Whether a word names an agent elsewhere, which has to be fetched: by a scheme, as an address of SSH, or as an archive. A folder is none:
 * it runs where it is.
 */
export const isSourceWord = (word: string): boolean =>
  /^(?:github|npm|oci|https?|ssh|file|git\+\w+):/i.test(word) ||
  /^[\w][\w.-]*@[\w.-]+:[^:]/.test(word) ||
  /\.(?:tgz|tar\.gz|tar|git)(?:#|$)/i.test(word);
