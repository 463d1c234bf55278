import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { type AgentFiles, agentDirectory, toolText } from "../../../../test/support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../../../test/support/agent-files.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { type WireReply, wireServer } from "../../../../test/support/wire-server.ts";
import { largestPart } from "./largest-part.ts";

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

const tooLong: WireReply = { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" };

/** Why the last answer of a prompt ended. */
async function problemOf(files: AgentFiles, input: string, replies: readonly WireReply[]) {
  using directory = agentDirectory(files);
  using server = wireServer("anthropic", ...replies);
  const agent = await openScriptAgent(directory.path, [], { model: await server.open(), retries: 0 });
  const events: AgentEvent[] = await Array.fromAsync(agent.session().prompt(input));
  await agent.close();
  const end = events.findLast((event) => event.type === "turn_end");
  return end?.type === "turn_end" ? (end.message.errorMessage ?? "") : "";
}

const read: WireReply = { parts: [{ id: "c1", name: "read_file", json: ['{"path":"big.txt"}'] }] };

test.each<[what: string, files: AgentFiles, input: string, replies: readonly WireReply[], says: readonly string[]]>([
  [
    "AGENT.md",
    { "AGENT.md": words(4000) },
    "Hi",
    [tooLong],
    ["The largest part of it is AGENT.md, with about ", "Shorten it"],
  ],
  [
    "a section",
    { "agent.mdx": `${MINIMAL_AGENT}\n## Customs\n\n${words(4000)}\n` },
    "Hi",
    [tooLong],
    ['section "Customs"', "Shorten that part of agent.mdx"],
  ],
  [
    "the tools",
    { "agent.mdx": MINIMAL_AGENT + toolText("huge", "return 1;").replace("Does huge", words(3000)) },
    "Hi",
    [tooLong],
    ["the list of ", "the largest is huge", "tools: [NAME"],
  ],
  ["a result", { "big.txt": words(4000) }, "Read.", [read, tooLong], ['one result of read_file "big.txt"', "/rewind"]],
  ["the input", {}, words(4000), [tooLong], ["your newest message", "into a file"]],
])(
  "of a request that is too long, %s is named where it is the largest part",
  async (_, files, input, replies, says) => {
    const problem = await problemOf(files, input, replies);
    expect(problem).toStartWith("anthropic answered 400");
    for (const text of ["prompt is too long: 210000 tokens > 200000 maximum", ...says]) expect(problem).toContain(text);
  },
);

test("what the repository says is named apart from what the agent says", async () => {
  const texts = [["instructions of the repository", words(100)]] as const;
  const said = await largestPart({ system: `Be kind. ${words(100)}`, tools: [], texts, messages: [] });
  expect(said).toContain("AGENTS.md or CLAUDE.md of the workspace");
});

test("a request of many small parts is said to be that", async () => {
  const messages = Array.from({ length: 50 }, (_, index) => ({
    role: "user" as const,
    content: [{ type: "text" as const, text: words(20 + index) }],
    timestamp: 0,
  }));
  expect(await largestPart({ system: "Be kind.", tools: [], messages })).toContain(
    "none of them very large. Ask in another session.",
  );
});

test("the server's words stay where an answer ended the window without any", async () => {
  const replies: readonly WireReply[] = [{ parts: [{ text: ["Half"] }], stop: "model_context_window_exceeded" }];
  const problem = await problemOf({ "AGENT.md": "x" }, words(100), replies);
  expect(problem).toStartWith("the request and the answer fill the model's window. The largest part of it is ");
});
