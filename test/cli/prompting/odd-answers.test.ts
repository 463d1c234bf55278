import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { callChunk, chunk, events, type RawAnswer, rawServer } from "../../support/raw-server.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const stop = chunk({}, "stop");
const nothing: RawAnswer = { body: events(stop, "[DONE]") };
const thought: RawAnswer = { body: events(chunk({ reasoning: "Hm." }), stop, "[DONE]") };
const noCall: RawAnswer = { body: events(chunk({ content: "I look." }), chunk({}, "tool_calls"), "[DONE]") };
const hello: RawAnswer = { body: events(chunk({ content: "Hello" }), stop, "[DONE]") };
const cutThought: RawAnswer = { body: events(chunk({ reasoning: "Hm." }), chunk({}, "length"), "[DONE]") };
const command = JSON.stringify({ command: "touch ran" });
const cutCall: RawAnswer = { body: events(callChunk({ index: 0, id: "1" }, { name: "bash", arguments: command }, "")) };
const endsWith = (reason: unknown, ...more: readonly unknown[]): RawAnswer => ({
  body: events(chunk({ content: "Half" }), chunk({}, reason), ...more, "[DONE]"),
});

const AGENT = "---\nname: odd\ndescription: Answers.\ntools: [bash]\n---\n\n## Purpose\n\nAnswer.\n";

interface Row {
  readonly title: string;
  readonly answers: readonly RawAnswer[];
  readonly exitCode: number;
  readonly stdout: string;
  readonly says?: string;
}

const rows: readonly Row[] = [
  {
    title: "an empty answer is asked for once more",
    answers: [nothing, hello],
    exitCode: 0,
    stdout: "Hello\n",
    says: "sent an empty answer; retrying at once (1 of 1)",
  },
  {
    title: "two empty answers are a failure",
    answers: [nothing, nothing],
    exitCode: 1,
    stdout: "",
    says: "the model sent an empty answer, twice",
  },
  {
    title: "thinking alone, twice",
    answers: [thought, thought],
    exitCode: 1,
    stdout: "",
    says: "nothing but thinking, twice",
  },
  {
    title: "an announced call, twice",
    answers: [noCall, noCall],
    exitCode: 1,
    stdout: "I look.\n",
    says: "called none, twice",
  },
  {
    title: "a cut answer stays cut",
    answers: [endsWith("length", chunk({ content: "" }, ""))],
    exitCode: 4,
    stdout: "Half\n",
    says: "cut off at the model's output limit",
  },
  {
    title: "a limit that thinking used up",
    answers: [cutThought],
    exitCode: 4,
    stdout: "",
    says: "used up before it gave an answer; raise max_tokens",
  },
  {
    title: "an unknown reason is a warning",
    answers: [endsWith("moon_phase")],
    exitCode: 0,
    stdout: "Half\n",
    says: "warning: openai stopped for an unknown reason (moon_phase)",
  },
  {
    title: "a filtered answer is a refusal",
    answers: [endsWith("SAFETY")],
    exitCode: 1,
    stdout: "Half\n",
    says: "refused",
  },
  {
    title: "marked thinking is not printed",
    answers: [{ body: events(chunk({ content: "<think>plan</think>Hello" }), stop, "[DONE]") }],
    exitCode: 0,
    stdout: "Hello\n",
  },
  {
    title: "the call of an answer that broke off does not run",
    answers: [cutCall, cutCall],
    exitCode: 1,
    stdout: "",
    says: "ended before it was complete",
  },
];

test.each(rows)("$title", async ({ answers, exitCode, stdout, says = "" }) => {
  using home = temporaryDirectory();
  using agent = agentDirectory({ "agent.mdx": AGENT });
  using server = rawServer(...answers);
  const environment = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.origin };
  const args = [agent.path, "-p", "go", "--trust", "-m", "openai/local", "--retries", "1", "--allow-all"];
  const result = await runCommandLine(args, { home: home.path, environment });
  expect(result).toMatchObject({ exitCode, stdout, stderr: expect.stringContaining(says) });
  expect(server.bodies).toHaveLength(answers.length);
  expect(existsSync(join(agent.path, "ran"))).toBe(false);
});
