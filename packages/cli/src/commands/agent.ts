import { type RunOptions, readRunnable } from "@mdx-ai/directory";
import { checkSessionId, SessionInUseError } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { wordOption } from "../arguments/option-values.ts";
import { isSourceWord, readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { isTerminal } from "../output/output.ts";

/** `mdx-ai agent`: runs one prompt, or the interrupted and queued ones, or a conversation on the terminal. */
export async function runAgent(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [word] = args.positionals;
  if (word !== undefined && isSourceWord(word)) {
    const { isFetched, withFetched } = await import("../installing/run-once.ts");
    if (isFetched(word, context))
      return withFetched(word, args, context, (directory) => runOnce(directory, args, context));
  }
  const isAgreed = ["yes", "expect"].find((name) => args.switches.has(name) || args.values.has(name));
  if (isAgreed !== undefined)
    throw new UsageError(`--${isAgreed} is for an agent from a source; trust a directory with --trust`);
  return runDirectory(args, context);
}

/** A fetched agent has no place for its sessions. */
function runOnce(directory: string, args: ParsedArguments, context: CommandContext): Promise<number> {
  const switches = new Set([...args.switches, "trust", "ephemeral"]);
  return runDirectory({ ...args, positionals: [directory], switches }, context);
}

async function runDirectory(args: ParsedArguments, context: CommandContext): Promise<number> {
  const asked = readRunOptions(args, context);
  const run = args.positionals.length > 0 ? asked : { ...asked, directory: await agentHere(asked, args, context) };
  if (run.session !== undefined) checkSessionId(run.session);
  try {
    return await openUp(run, args, context);
  } catch (error) {
    if (!(error instanceof SessionInUseError)) throw error;
    const hint = "wait for it with --wait, or start another one with --session new";
    throw new ProgramError(`${error.message}; ${hint}`, EXIT_CODE.failed, { cause: error });
  }
}

async function agentHere({ isTrusted }: RunOptions, args: ParsedArguments, context: CommandContext): Promise<string> {
  const { unnamedAgent } = await import("../asking/unnamed-agent.ts");
  return unnamedAgent({ isTrusted, isPlain: plainOption(args) !== undefined }, context);
}

/** The option that asks for a conversation in lines; undefined without one. */
const plainOption = ({ switches }: ParsedArguments): string | undefined =>
  ["plain", "screen-reader"].find((name) => switches.has(name));

async function openUp(run: RunOptions, args: ParsedArguments, context: CommandContext): Promise<number> {
  const prompt = promptOption(args);
  const isDebug = args.switches.has("debug");
  const isJson = args.switches.has("json");
  const format = wordOption(args, "output", ["text", "json"]);
  if (isJson && format !== undefined) throw new UsageError("--json and --output exclude each other; leave one out");
  const plain = plainOption(args);
  const canConverse = (): boolean => isTerminal(0) && context.stdout.isTerminal;
  if (prompt !== undefined || (run.isResumed && (isJson || !canConverse()))) {
    if (plain !== undefined)
      throw new UsageError(`--${plain} is for conversations, so it has no effect with a prompt; leave one out`);
    const { runPrompt } = await import("../prompting/run-prompt.ts");
    return runPrompt({ run, prompt, format: isJson ? "events" : (format ?? "text"), isDebug }, context);
  }
  if (isJson) throw new UsageError("--json needs a prompt: --prompt TEXT");
  if (format !== undefined) throw new UsageError("--output needs a prompt: --prompt TEXT");
  if (!canConverse()) {
    // Report mistakes in the directory first, as on a terminal.
    await readRunnable(run.directory, context);
    throw new UsageError(
      "a conversation needs a terminal; give one prompt with --prompt TEXT, or pipe it in with --prompt -",
    );
  }
  const { converse } = await import("../prompting/converse.ts");
  return converse({ run, isDebug, isPlain: plain !== undefined }, context);
}

/** The text of `--prompt`, or the line of `--exec`; undefined without both. Throws `UsageError`. */
function promptOption({ values }: ParsedArguments): string | undefined {
  const line = values.get("exec");
  if (line === undefined) return values.get("prompt");
  if (values.has("prompt")) throw new UsageError("--exec and --prompt name two prompts; leave one out");
  if (/[\n\r]/.test(line)) throw new UsageError("--exec takes one line; give several with --prompt TEXT");
  return line;
}
