import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";

async function open(directory: string, server: AnthropicServer): Promise<Agent> {
  return openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });
}

/** What the tools gave, in order, as the last request tells the model. */
function resultsSent(server: AnthropicServer): { readonly text: string; readonly isError: boolean }[] {
  const { messages } = JSON.parse(server.requests.at(-1)?.text ?? "");
  const blocks = messages.flatMap(({ content }: { readonly content: unknown }) => content);
  return blocks.flatMap((block: { type?: string; content?: { text: string }[]; is_error?: boolean }) =>
    block.type === "tool_result"
      ? [{ text: (block.content ?? []).map(({ text }) => text).join(""), isError: block.is_error ?? false }]
      : [],
  );
}

const SPY = `
<Tool name="spy" description="Looks around the corner">
  <Param name="corner" type="number" description="Which one" />
  <Param name="quietly" type="boolean" required="false" />

\`\`\`ts
// OnlyInTheCode: a comment
async function execute(params: { corner: number; quietly?: boolean }) {
  const onlyInTheCode = params.corner * 1000;
  if (onlyInTheCode > 1000) throw new Error("there are two corners, not " + params.corner);
  return "saw " + onlyInTheCode;
}
\`\`\`

</Tool>
`;

test("a tool's name, description and parameters reach the model, its results and its throws as text, its code never", async () => {
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + SPY });
  using server = anthropicServer(
    toolReply({ id: "a", name: "spy", input: { corner: 1 } }, { id: "b", name: "spy", input: { corner: 7 } }),
    toolReply({ id: "c", name: "spy", input: {} }),
    textReply("ok"),
  );
  const agent = await open(directory.path, server);
  await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  expect(server.requests).toHaveLength(3);
  for (const { body, text } of server.requests) {
    expect(body).toMatchObject({
      tools: [
        {},
        {},
        {},
        {
          name: "spy",
          description: "Looks around the corner",
          input_schema: {
            properties: { corner: { type: "number", description: "Which one" }, quietly: { type: "boolean" } },
            required: ["corner"],
          },
        },
      ],
    });
    expect(text).not.toMatch(/OnlyInTheCode|function execute|```|<Tool|<Param/i);
  }
  expect(resultsSent(server)).toEqual([
    { text: "saw 1000", isError: false },
    { text: expect.stringMatching(/^there are two corners, not 7 \(agent\.mdx:\d+:\d+\)$/), isError: true },
    { text: expect.stringContaining('parameter "corner" is missing'), isError: true },
  ]);
});

test.skipIf(requireProgram("bwrap"))(
  "an agent that defines no tool has bash, read_file and write_file, and they work in its directory",
  async () => {
    using directory = agentDirectory();
    using server = anthropicServer(
      toolReply({ id: "a", name: "write_file", input: { path: "notes/a.txt", content: "one\ntwo\nthree\n" } }),
      toolReply({ id: "b", name: "read_file", input: { path: "notes/a.txt", offset: 2, limit: 1 } }),
      toolReply({ id: "c", name: "bash", input: { command: "pwd; cat notes/a.txt" } }),
      textReply("ok"),
    );
    const agent = await open(directory.path, server);
    await Array.fromAsync(agent.session().prompt("go"));
    await agent.close();
    const [request] = server.requests;
    expect(request?.body).toMatchObject({ tools: [{ name: "bash" }, { name: "read_file" }, { name: "write_file" }] });
    expect(readFileSync(join(directory.path, "notes/a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    const [written, read, ran] = resultsSent(server).map(({ text }) => text);
    expect(written).toContain("14 bytes written");
    expect(read).toStartWith("two\n[Lines 2 to 2");
    expect(ran).toBe(`${directory.path}\none\ntwo\nthree\n`);
  },
);

test("skills are indexed at the start, listed as XML, and read with read_file at the place that the list names", async () => {
  using directory = agentDirectory({
    "skills/tea/SKILL.md": "---\nname: tea\ndescription: Make tea & more\n---\n\nBoil water in {baseDir}/pot.\n",
  });
  using server = anthropicServer();
  const agent = await open(directory.path, server);
  await Bun.write(join(directory.path, "skills/late/SKILL.md"), "---\nname: late\ndescription: Late\n---\n\nx\n");
  const list = /<available_skills>.*<\/available_skills>/s.exec(await agent.systemPrompt())?.[0] ?? "";
  expect(list.replaceAll(/\s*\n\s*/g, "")).toBe(
    "<available_skills><skill><name>tea</name><description>Make tea &amp; more</description>" +
      "<location>skills/tea/SKILL.md</location></skill></available_skills>",
  );
  const path = /<location>(.*)<\/location>/.exec(list)?.[1];
  server.add(toolReply({ id: "a", name: "read_file", input: { path } }), textReply("ok"));
  await Array.fromAsync(agent.session().prompt("Tea, please"));
  await agent.close();
  expect(JSON.stringify(JSON.parse(server.requests[0]?.text ?? "").system)).toContain(
    JSON.stringify(list).slice(1, -1),
  );
  expect(server.requests[0]?.text).not.toContain("Boil water");
  expect(resultsSent(server)[0]?.text).toContain(`Boil water in ${directory.path}/skills/tea/pot.`);
});
