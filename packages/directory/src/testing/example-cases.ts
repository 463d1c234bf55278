import { attempt, type JsonValue, shortened } from "@mdx-ai/base";
import type { ExampleExpectation, ToolDefinition, ToolExample } from "@mdx-ai/parser";
import { executeTool } from "@mdx-ai/tools";
import { openForTools } from "../opening/open-run.ts";
import { contentText } from "../text.ts";
import type { TestCase, TestFailure, TestRun } from "./run-cases.ts";
import { jsonDifference, shownText, textDifference } from "./text-difference.ts";

/** An unnamed example is named by its arguments, up to this length. */
const NAME_LENGTH = 60;
/** How many of the last log lines of a failed call are shown. */
const LOG_LINES = 20;

/** The `<Example>` blocks of an agent's tools, in the order of the file. Each runs its tool in a separate process. */
export async function exampleCases(test: TestRun): Promise<readonly TestCase[]> {
  return test.run.directory.definition.tools.flatMap((tool) =>
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

function stubsOf({ fetch, now }: ToolExample): Pick<ToolExample, "fetch" | "now"> {
  return { ...(fetch && { fetch }), ...(now !== undefined && { now }) };
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
  const { run, frontEnd } = test;
  const { agent, close } = await openForTools(run, frontEnd, { toolStubs: stubsOf(example) });
  try {
    const tool = agent.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`the tool ${name} is gone`);
    const log = async (line: string): Promise<void> => void lines.push(line);
    const place = { agentDir: run.directory.path, cwd: run.folder, sessionId: "none", callId: "none" };
    const call = { ...place, signal, log, update: () => {} };
    const { content, isError = false } = await executeTool(tool, example.arguments, call);
    return { text: contentText(content), isError };
  } finally {
    await close();
  }
}

/** The text of a call's result or error. */
export interface CallOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** Why an outcome differs from the expectation of an example; undefined if it matches. */
export async function judgeOutcome(
  expected: ExampleExpectation,
  outcome: CallOutcome,
): Promise<TestFailure | undefined> {
  const lines = shownText(outcome.text);
  if (expected.type === "error") return judgeError(expected.text, outcome);
  if (outcome.isError) return { message: "the tool failed", lines };
  switch (expected.type) {
    case "success":
      return undefined;
    case "contains":
      if (outcome.text.includes(expected.text)) return undefined;
      return { message: `the result does not contain ${JSON.stringify(expected.text)}`, lines };
    case "result":
      return judgeResult(expected.value, outcome.text);
    default:
      return expected satisfies never;
  }
}

function judgeError(expected: string, { text, isError }: CallOutcome): TestFailure | undefined {
  const lines = shownText(text);
  if (!isError) return { message: `expected an error (${JSON.stringify(expected)}), but the tool succeeded`, lines };
  return text.includes(expected)
    ? undefined
    : { message: `the error does not contain ${JSON.stringify(expected)}`, lines };
}

const DIFFERENT = "the result differs (- expected, + received)";

async function judgeResult(expected: JsonValue, text: string): Promise<TestFailure | undefined> {
  if (typeof expected === "string") {
    return text === expected ? undefined : { message: DIFFERENT, lines: await textDifference(expected, text) };
  }
  const received: unknown = attempt(() => JSON.parse(text));
  if (received === undefined) return { message: "expected JSON, but the result is not JSON", lines: shownText(text) };
  if (Bun.deepEquals(received, expected, true)) return undefined;
  return { message: DIFFERENT, lines: await jsonDifference(expected, received) };
}
