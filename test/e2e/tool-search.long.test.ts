import { describe, expect, test } from "bun:test";
import { writeFiles } from "../support/agent-files.ts";
import { textReply, toolReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { agentWithServers, bareServer, fileServer } from "../support/mcp-server-file.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Tools whose schemas together take about 120 kB, more than a tenth of any window here. */
const MANY = bareServer(`
tools = Array.from({ length: 300 }, (_, index) => ({
  name: "op_" + index,
  description: index === 217 ? "Brews a pot of tea." : "Does the thing number " + index + ". " + "Words. ".repeat(40),
  inputSchema: { type: "object", properties: { cups: { type: "integer" } }, required: ["cups"] },
}));
`);

const SEARCH = { id: "c1", name: "tool_search", input: { query: "brew tea" } };
const USE = { id: "c2", name: "use_tool", input: { name: "mcp_tea_op_217", arguments: { cups: "3" } } };

/** What a model received and what the program printed, of a prompt with these calls one after another. */
async function prompted(
  files: Readonly<Record<string, string>>,
  calls: Readonly<Parameters<typeof toolReply>>,
  flags: readonly string[] = ["--allow", "mcp.tea.*"],
) {
  using folder = temporaryDirectory();
  writeFiles(folder.path, files);
  using server = anthropicServer(...calls.map((call) => toolReply(call)), textReply("Done."));
  const args = ["agent", ".", "--trust", "-m", "anthropic/x", "-p", "hi", "--json", ...flags];
  const { stdout } = await runCli(args, { home: folder.path, environment: server.environment });
  const requests = server.requests.map(({ text }) => JSON.parse(text));
  return { stdout, requests, texts: server.requests.map(({ text }) => text) };
}

const files = (frontmatter = "") => ({
  "agent.mdx": agentWithServers(fileServer("tea", "server.mjs"), frontmatter),
  "server.mjs": MANY,
});

const toolNames = (request: { readonly tools: readonly { readonly name: string }[] }): readonly string[] =>
  request.tools.map(({ name }) => name);

describe("the tools of a large MCP server", () => {
  test("are found by a search and called by another tool, under their own names", async () => {
    const { stdout, requests, texts } = await prompted(files(), [SEARCH, USE]);
    expect(toolNames(requests[0])).toEqual(["bash", "read_file", "write_file", "tool_search", "use_tool"]);
    expect(requests[0].tools[3].description).toContain("300: 300 of the MCP server tea");
    const [, found, result] = requests[2].messages.filter(({ role }: { role: string }) => role === "user");
    expect(JSON.stringify(found)).toContain("Brews a pot of tea.");
    expect(JSON.stringify(found)).toContain("cups");
    // The arguments are corrected by the schema of the tool.
    expect(JSON.stringify(result)).toContain(JSON.stringify('{"cups":3}').slice(1, -1));
    expect(stdout).toContain('"toolName":"mcp.tea.op_217"');
    // The model sees its call as it made it, since it does not know the tool.
    const used = requests[2].messages.flatMap(({ content }: { content: unknown }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === "tool_use") : [],
    );
    expect(used.at(-1)).toMatchObject({ name: "use_tool", input: { name: "mcp_tea_op_217", arguments: { cups: 3 } } });
    // What comes before the messages stays the same.
    const heads = requests.map(({ tools, system }) => JSON.stringify({ tools, system }));
    expect(new Set(heads).size).toBe(1);
    expect(texts[0]?.length).toBeLessThan(20_000);
  });

  test("are decided by the permissions of their own names", async () => {
    const { requests } = await prompted(files('permissions: {"mcp.tea.op_217": deny}\n'), [SEARCH, USE], []);
    expect(JSON.stringify(requests[2].messages.at(-1))).toMatch(/not run: the agent.s settings deny mcp.tea.op_217/);
  });

  test("that do not exist are an error that says how to find one", async () => {
    const missing = { id: "c2", name: "use_tool", input: { name: "op_999" } };
    const { requests } = await prompted(files(), [missing]);
    expect(JSON.stringify(requests[1].messages.at(-1))).toContain("find one with tool_search");
  });

  test("are called although the name of the calling tool is misspelled, and never by way of that tool itself", async () => {
    const [other, itself] = [
      { ...USE, name: "UseTool" },
      { ...USE, id: "c3", input: { name: "use_tool" } },
    ];
    const { stdout, requests } = await prompted(files(), [other, itself]);
    expect(stdout).toContain('"toolName":"mcp.tea.op_217"');
    expect(JSON.stringify(requests[2].messages.at(-1))).toContain("find one with tool_search");
  });

  test("leave the agent's own tools of these names what they are", async () => {
    const own = `\n## Tools\n\n<Tool name="use_tool" description="Says">\n\n<Param name="name" type="string" required description="N" />\n
\`\`\`ts\nasync function execute({ name }) { return "own " + name; }\n\`\`\`\n\n</Tool>\n`;
    const definition = files()["agent.mdx"] + own;
    const calls = [
      { id: "c1", name: "use_tool", input: { name: "mcp_tea_op_217" } },
      { ...USE, name: "use_tool_" },
    ];
    const { stdout, requests } = await prompted({ ...files(), "agent.mdx": definition }, calls);
    const names = toolNames(requests[0]);
    expect(new Set(names).size).toBe(names.length);
    expect(requests[0].tools.at(-1).name).toBe("use_tool_");
    expect(JSON.stringify(requests[1].messages.at(-1))).toContain("own mcp_tea_op_217");
    expect(stdout).toContain('"toolName":"mcp.tea.op_217"');
  });

  test.each([
    ["tools: {deferred: false}\n", 303],
    ["context: {window: 2000000}\n", 303],
    ["tools: {deferred: true}\n", 5],
  ])("are sent whole or not as the settings say: %j", async (frontmatter, count) => {
    const { requests } = await prompted(files(frontmatter), []);
    expect(toolNames(requests[0])).toHaveLength(count);
  });
});

test("few tools are sent, unless the settings defer them; inspect shows the bytes before the first word", async () => {
  using folder = temporaryDirectory();
  const small = { "agent.mdx": agentWithServers(fileServer("tea", "server.mjs")), "server.mjs": bareServer("") };
  const { requests } = await prompted(small, []);
  expect(toolNames(requests[0])).toEqual(["bash", "read_file", "write_file", "mcp_tea_greet"]);
  writeFiles(folder.path, small);
  const { stdout } = await runCli(["inspect", ".", "--trust"], { home: folder.path });
  expect(stdout).toMatch(/\d bytes/);
});
