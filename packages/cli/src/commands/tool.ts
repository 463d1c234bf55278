import { didYouMean } from "@mdx-ai/base";
import { openForTools, prepareRun, readTrusted } from "@mdx-ai/directory";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { AgentTool, ToolResult } from "@mdx-ai/loop";
import type { Agent } from "@mdx-ai/runtime";
import { executeTool } from "@mdx-ai/tools";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import { toolArguments } from "../arguments/tool-arguments.ts";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";

/** `mdx-ai tool`: runs one tool without a model. Prints its result to standard output, or its error to standard error. */
export async function runTool(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = { ...readRunOptions(args, context), isEphemeral: true };
  const signal = context.interruption.listen();
  const directory = await readTrusted(options, trustOptions(context, signal));
  const run = await prepareRun(options, directory, context);
  const { agent, close } = await openForTools(run, context);
  try {
    const [, name, ...pairs] = args.positionals;
    const tool = await findTool(agent, name);
    const given = toolArguments(tool.parameters, pairs, args.values.get("json"));
    const log = async (message: string): Promise<void> => context.stderr.write(`${plainLine(message)}\n`);
    const place = { agentDir: directory.path, cwd: run.folder, sessionId: "none", callId: "none" };
    const frontEnd = { ...place, signal, log, update: () => {} };
    const result = await executeTool(tool, given, frontEnd);
    const output = result.isError ? context.stderr : context.stdout;
    await context.stderr.flush();
    output.write(resultText(result));
    return context.interruption.exitCode ?? (result.isError ? EXIT_CODE.failed : EXIT_CODE.done);
  } finally {
    await close();
  }
}

async function findTool(agent: Agent, name: string | undefined): Promise<AgentTool> {
  const tool = agent.tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = agent.tools.map((candidate) => candidate.name);
  throw unknownName("tool", name, names);
}

/** The error for a missing or unknown name. Lists the available names. */
export function unknownName(what: string, name: string | undefined, names: readonly string[]): UsageError {
  const all = names.length === 0 ? "none is available" : `available: ${names.map(plainLine).join(", ")}`;
  if (name === undefined) return new UsageError(`the name of the ${what} is missing; ${all}`);
  const hint = [didYouMean(name, names, ""), all].filter((part) => part !== "").join(" ");
  return new UsageError(`there is no ${what} ${JSON.stringify(name)}; ${hint}`);
}

/** A tool's result as text that ends with a newline. Images are named but not shown. */
export function resultText({ content }: ToolResult): string {
  const blocks = content.map((block) =>
    block.type === "text"
      ? plainText(block.text)
      : `[image ${plainText(block.mimeType)}, ${block.data.length} characters of base64]`,
  );
  const text = blocks.join("\n");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
