import type { ToolDefinition, ToolExample } from "@mdx-ai/parser";
import { shortened } from "@mdx-ai/parser/visible-text";
import { executeTool } from "@mdx-ai/runtime";
import { shownText } from "../comparing/text-difference.ts";
import { toolsFolder } from "../opening/agent-run.ts";
import { openRun } from "../opening/open-run.ts";
import { warn } from "../surroundings.ts";
import { contentText } from "../text/plain-text.ts";
import { type CallOutcome, judgeOutcome } from "./judge-outcome.ts";
import type { TestCase, TestFailure, TestRun } from "./run-cases.ts";

/** The name of an example without one is its arguments, up to this length. */
const NAME_LENGTH = 60;
/** Lines of a failed call's log that are shown, the last ones. */
const LOG_LINES = 20;

/** The `<Example>` blocks of an agent's tools, in the order of the file. Each runs its tool in a process of its own. */
export async function exampleCases(test: TestRun): Promise<readonly TestCase[]> {
  return test.directory.definition.tools.flatMap((tool) =>
    tool.examples.map((example) => ({
      subject: tool.name,
      name: nameOf(example),
      place: { file: "agent.mdx", ...example.position },
      run: (signal: AbortSignal) => runExample({ tool, example, test, signal }),
    })),
  );
}

function nameOf({ name, arguments: args }: ToolExample): string {
  return name ?? shortened(JSON.stringify(args), NAME_LENGTH);
}

interface ExampleRun {
  readonly tool: ToolDefinition;
  readonly example: ToolExample;
  readonly test: TestRun;
  readonly signal: AbortSignal;
}

async function runExample(run: ExampleRun): Promise<TestFailure | undefined> {
  const log: string[] = [];
  const failure = await judgeOutcome(run.example.expected, await callTool(run, log));
  if (failure === undefined || log.length === 0) return failure;
  const shown = shownText(log.slice(-LOG_LINES).join("\n"));
  return { ...failure, lines: [...failure.lines, { mark: " ", text: "its log:" }, ...shown] };
}

async function callTool({ tool: { name }, example, test, signal }: ExampleRun, lines: string[]): Promise<CallOutcome> {
  const { directory, run, surroundings } = test;
  const agent = await openRun(run, directory, {
    surroundings,
    onWarning: warn(surroundings),
    wakes: false,
    isModelless: true,
  });
  try {
    const tool = agent.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`the tool ${name} is gone`);
    const log = async (line: string): Promise<void> => void lines.push(line);
    const place = { agentDir: directory.path, cwd: toolsFolder(run, directory), sessionId: "none", callId: "none" };
    const call = { ...place, signal, log, update: () => {} };
    const { content, isError = false } = await executeTool(tool, example.arguments, call);
    return { text: contentText(content), isError };
  } finally {
    await agent.close();
  }
}
