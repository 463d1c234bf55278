import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "@mdx-ai/base/disk";
import { agentFolder } from "@mdx-ai/directory";
import { installedDirectory, removeTree, stageAgent } from "@mdx-ai/directory/installing";
import { parseSource } from "@mdx-ai/directory/sources";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { isSourceWord } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { agree, readExpectation } from "./agreement.ts";
import { costedPower, powerLines } from "./power-text.ts";

/** Whether a word is a source that has to be fetched, and neither a directory nor the name of an added agent. */
export const isFetched = (word: string, context: CommandContext): boolean =>
  isSourceWord(word) && installedDirectory(word, context) === undefined && !isDirectory(word, context);

const isDirectory = (word: string, context: CommandContext): boolean =>
  existsSync(join(agentFolder(word, context), "agent.mdx"));

/** The prompt of the command line, so that the command to agree with is whole. */
const promptWords = ({ values }: ParsedArguments): readonly string[] => {
  const prompt = values.get("prompt");
  return prompt === undefined ? [] : ["-p", prompt];
};

/**
 * Fetches an agent, shows what it may do, and runs `work` with its directory if the user agrees; keeps nothing of it. Rejects as
 * `stageAgent`, `agree` and `work` do.
 */
export async function withFetched<Result>(
  text: string,
  args: ParsedArguments,
  context: CommandContext,
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  if (args.switches.has("trust")) {
    throw new UsageError(
      "--trust is for a directory; agree to what a source has with --expect sha256:…, the hash that its screen shows",
    );
  }
  const expectation = { ...readExpectation(args), isSilent: false };
  const source = parseSource(text, context.currentDirectory);
  const folder = makeTemporaryFolder("mdx-ai-run-");
  try {
    const signal = context.interruption.listen();
    const staged = await stageAgent(source, { into: join(folder, "agent"), frontEnd: context, signal });
    const power = await costedPower(staged.power, staged.directory, context);
    const title = staged.directory.definition.identity.name;
    const lines = [...powerLines(power), staged.power.hash];
    const agreeing = { ...expectation, signal, retry: ["mdx-ai", text, ...promptWords(args)] };
    await agree({ title, question: "Run it this once?", lines, staged }, agreeing, context);
    context.interruption.release();
    return await work(staged.folder);
  } finally {
    removeTree(folder);
  }
}
