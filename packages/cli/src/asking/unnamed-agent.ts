import { realpathSync } from "node:fs";
import { join } from "node:path";
import { configurationDirectory, shellWord } from "@mdx-ai/base";
import { isAgentDirectory } from "@mdx-ai/base/disk";
import { trustDirectory } from "@mdx-ai/directory";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { templateFiles, writeTemplate } from "../init/template.ts";
import { chooseAnswer } from "./choose-answer.ts";

export interface UnnamedAgentOptions {
  /** Whether the command line agrees to what would be asked. */
  readonly isTrusted: boolean;
  readonly isPlain: boolean;
}

/**
 * The agent of a command line that names none: `.` if the current folder is an agent directory, else the user's default agent. If there is
 * none yet, asks, then makes a coding agent and trusts it. Rejects with `ProgramError` if the user refuses or cannot be asked.
 */
export async function unnamedAgent(options: UnnamedAgentOptions, context: CommandContext): Promise<string> {
  const configuration = configurationDirectory(context.environment);
  // Without a folder for the default agent, the error about the missing agent.mdx says what to do.
  if (configuration === undefined || isAgentDirectory(context.currentDirectory)) return ".";
  const directory = join(configuration, "agents", "default");
  if (isAgentDirectory(directory)) return directory;
  if (!options.isTrusted) await agree(directory, options, context);
  writeTemplate(directory, templateFiles("coder", "Coder"));
  await trustDirectory(realpathSync.native(directory), { edits: "if_own" }, context);
  return directory;
}

/** Rejects unless the user agrees. */
async function agree(directory: string, { isPlain }: UnnamedAgentOptions, context: CommandContext): Promise<void> {
  const ways = `to make your own: mdx-ai init ${shellWord(directory)} --template coder`;
  if (!context.canAsk) {
    throw new UsageError(
      `no agent is named, and this folder has no agent.mdx; name one: mdx-ai DIR (all commands: mdx-ai --help), or agree to a coding agent with --trust; ${ways}`,
    );
  }
  const asked = {
    path: context.currentDirectory,
    note: `This folder has no agent.mdx. A coding agent can work here.\nIt is made in ${directory}, where you can change it,\nand starts wherever you call mdx-ai without a directory.`,
    question: "Start the coding agent in this folder?",
    answers: [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, here and from now on" },
    ],
  };
  const signal = context.interruption.listen();
  const answer = await chooseAnswer(asked, context, { signal, isPlain });
  context.interruption.release();
  if (answer === "yes") return;
  throw new ProgramError(`no agent was started; ${ways}`, EXIT_CODE.untrusted);
}
