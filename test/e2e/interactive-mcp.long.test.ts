import { expect, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { agentWithServers, bareServer, fileServer } from "../support/mcp-server-file.ts";
import { processesOf } from "../support/remaining-processes.ts";
import { requireProgram } from "../support/require-program.ts";

const server = bareServer(`
  tools[0].inputSchema = { type: "object", properties: { who: { type: "string" } } };
  const calls = new Map();
  handlers["tools/call"] = (id) => {
    calls.set("q", id);
    send({ id: "q", method: "elicitation/create", params: {
      message: "I need to know more.",
      requestedSchema: { type: "object", required: ["tea", "cups"], properties: {
        tea: { type: "string", title: "Which tea", enum: ["green", "black"] },
        cups: { type: "integer", title: "How many cups" },
        note: { type: "string", title: "A note" },
      } },
    } });
  };
  process.stdin.on("data", (data) => {
    for (const line of String(data).split("\\n").filter(Boolean)) {
      const { id, result } = JSON.parse(line);
      if (id === "q") text(calls.get("q"), "brewed " + JSON.stringify(result ?? "nothing"));
    }
  });
  handlers["resources/list"] = (id) => answer(id, { resources: [{ uri: "tea://green", name: "green" }] });
  handlers["resources/read"] = (id, { uri }) => answer(id, { contents: [{ uri, text: "Steep for two minutes." }] });
  handlers["prompts/list"] = (id) => answer(id, { prompts: [
    { name: "brew", description: "Brews a tea", arguments: [{ name: "tea", required: true }] } ] });
  handlers["prompts/get"] = (id, { arguments: args }) => answer(id, { messages: [
    { role: "user", content: { type: "text", text: "Brew me a cup of " + args.tea + "." } } ] });`);

const files = { "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")), "server.mjs": server };

const replies = [
  { text: "One." },
  { calls: [{ id: "1", name: "mcp_bare_greet", arguments: { who: "you" } }] },
  { text: "Two." },
];

async function received({ directory }: InteractiveRun): Promise<string> {
  return Bun.file(join(directory, "sessions/main/history.json")).text();
}

test.skipIf(requireProgram("tmux"))(
  "a conversation shows servers, sends their prompts and resources, and asks what they and their tools want to know",
  async () => {
    await using run = await openInteractive({ files, replies, columns: 100, rows: 40 });
    const { terminal } = run;
    const send = async (text: string): Promise<void> => {
      await terminal.type(text);
      await terminal.press("Enter");
    };
    /** Waits for a question whose keys can be pressed. */
    const asked = (question: RegExp) =>
      terminal.waitFor((screen) => question.test(screen) && !screen.includes("One moment: keys"));
    await send("/mcp");
    await terminal.waitFor(/bare +not started yet/);
    await send("/mcp bare");
    const shown = await terminal.waitFor(/brew tea +Brews a tea/);
    expect(shown).toContain("tea://green");
    await terminal.type("/mcp:bare:b");
    // A key asks the server, and one after its answer shows what it said.
    while (!/→ \/mcp:bare:brew tea +Brews a tea/.test(await terminal.screen())) {
      await Bun.sleep(100);
      await terminal.press("BSpace", "b");
    }
    await terminal.press("Tab");
    await terminal.type("Assam, as in @bare:te");
    await terminal.waitFor(/→ bare:tea:\/\/green/);
    await terminal.press("Tab");
    await terminal.waitFor(/as in @bare:tea:\/\/green/);
    await terminal.press("Enter");
    await terminal.waitFor("One.");
    expect(await received(run)).toContain("Brew me a cup of Assam, as in @bare:tea://green.");
    await send("see @bare:tea://green now");
    await terminal.waitFor(/calls a tool of the MCP server bare/);
    expect(await terminal.waitFor("y once")).toContain('{"who":"you"}');
    await terminal.type("y");
    await asked(/The MCP server bare asks: Which tea \(1 of 3\)[\s\S]*1 green/);
    await terminal.type("2");
    await asked(/asks: How many cups \(2 of 3\)/);
    await terminal.type("t");
    await terminal.waitFor("Your answer:");
    await send("two");
    await asked(/Invalid answer: write a number/);
    await terminal.type("t");
    await terminal.waitFor("Your answer:");
    await send("2");
    await asked(/asks: A note \(3 of 3\)/);
    await terminal.type("s");
    await terminal.waitFor(/brewed \{"action":"accept","content":\{"tea":"black","cups":2\}\}/);
    await terminal.waitFor("Two.");
    const history = await received(run);
    expect(history).toContain("Steep for two minutes.");
    expect(history).toContain("attached_resource server=");
    await send("/quit");
    // The terminal's own command line names the folder, too.
    await eventually(() => processesOf(run.directory).every(({ command }) => command.startsWith("tmux")));
  },
);

test.skipIf(requireProgram("tmux"))(
  "the server of a disabled skill gives neither a resource nor a prompt, and is not started",
  async () => {
    const skill = `---
name: brewing
description: Brews
enabled_by_default: false
mcp_server: {command: ${JSON.stringify(process.execPath)}, args: [skills/brewing/server.mjs]}
---
Brew.
`;
    const written = { "skills/brewing/SKILL.md": skill, "skills/brewing/server.mjs": server };
    await using run = await openInteractive({
      files: { "agent.mdx": "# Agent: A\n\n## Purpose\n\nHelps.\n", ...written },
      replies,
      columns: 200,
    });
    const { terminal, directory } = run;
    const send = async (text: string): Promise<void> => {
      await terminal.type(text);
      await terminal.press("Enter");
    };
    const refusal = 'the skill "brewing" is disabled in this session; enable it with /skill enable brewing';
    await send("see @brewing:tea://green now");
    await terminal.waitFor(`brewing:tea://green is not attached: ${refusal}`);
    await terminal.waitFor("One.");
    expect(await received(run)).toContain(JSON.stringify(`[not attached: ${refusal}]`).slice(1, -1));
    await send("/mcp:brewing:brew Assam");
    await terminal.waitFor((screen) => screen.split(refusal).length === 3);
    await send("/mcp");
    await terminal.waitFor(/brewing +not started: the skill brewing is not enabled/);
    expect(processesOf(directory).filter(({ command }) => command.includes("server.mjs"))).toStrictEqual([]);
  },
);
