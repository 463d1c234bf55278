import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { Agent, AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import type { Reply } from "../../support/replies.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const call = (name: string): Reply => ({ calls: [{ id: crypto.randomUUID(), name, arguments: {} }] });
const DONE: Reply = { text: "Done." };

const resultsIn = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) =>
    message.role === "toolResult" ? message.content.map((block) => (block.type === "text" ? block.text : "")) : [],
  );

interface Warned {
  readonly warnings: readonly string[];
  readonly clock: HandClock;
  readonly options: Partial<AgentOptions>;
}

function warned(more: Partial<AgentOptions> = {}): Warned {
  const warnings: string[] = [];
  const onWarning = (line: string): void => void warnings.push(line);
  // A prompt waits for a server as long as the clock stands still: the machine may be busy.
  const clock = new HandClock("2026-03-02T09:00:00Z");
  return { warnings, clock, options: { permissions: { allow: ["mcp.*"] }, clock, onWarning, ...more } };
}

const mcpTools = (agent: Agent): readonly string[] =>
  [...agent.session().toolOrigins().keys()].filter((name) => name.startsWith("mcp."));

const prompt = (agent: Agent, text = "Go"): Promise<unknown> => Array.fromAsync(agent.session().prompt(text));

describe.skipIf(requireProgram("bwrap"))("a server that is not there", () => {
  test("is named once, holds up no other one, and the prompt goes on without its tools", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(`${fileServer("good", "good.mjs")}  dead: {command: no-such-program-anywhere}\n`),
      "good.mjs": bareServer(""),
    });
    const { warnings, options } = warned();
    const agent = await openScriptAgent(directory.path, [call("mcp_good_greet"), DONE, DONE], options);
    await prompt(agent);
    expect(resultsIn(await agent.session().messages())).toStrictEqual(["{}"]);
    await prompt(agent);
    expect(warnings.map((line) => line.slice(0, 38))).toStrictEqual(["the MCP server dead is not available: "]);
    expect(mcpTools(agent)).toStrictEqual(["mcp.good.greet"]);
    await agent.close();
    const logs = new Bun.Glob("*.log").scanSync(join(directory.path, "logs"));
    const log = [...logs].map((name) => readFileSync(join(directory.path, "logs", name), "utf8")).join("");
    expect(log).toContain("MCP server dead: is not available");
    expect(log).toContain("MCP server good: is connected, with 1 tools");
  });

  const SLOW = bareServer(`
    import { existsSync } from "node:fs";
    handlers.initialize = (id, params) => existsSync("go")
      ? initialize(id, params)
      : setTimeout(() => handlers.initialize(id, params), 20);`);

  test("and is slow holds up the first prompt of a conversation for 3 seconds at most; its tools join a later one", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("slow", "slow.mjs")),
      "slow.mjs": SLOW,
    });
    const { warnings, clock, options } = warned({ waitsForServers: false });
    const agent = await openScriptAgent(directory.path, [DONE, DONE, call("mcp_slow_greet"), DONE], options);
    const first = prompt(agent);
    await clock.untilTimer();
    clock.pass(2_999);
    expect(clock.timers).toBe(1);
    expect(warnings).toStrictEqual([]);
    clock.pass(1);
    await first;
    // The second prompt does not wait again: the clock stands still.
    await prompt(agent);
    expect(mcpTools(agent)).toStrictEqual([]);
    expect(warnings).toStrictEqual([
      "the MCP server slow has not connected within 3 seconds; its tools join a later prompt",
    ]);
    await Bun.write(join(directory.path, "go"), "");
    await eventually(() => expect(agent.servers[0]?.state.type).toBe("connected"));
    await prompt(agent);
    expect(resultsIn(await agent.session().messages())).toStrictEqual(["{}"]);
    await agent.close();
  });

  test.each([
    ["in other prompts", "", {}],
    ["in a conversation, too, with `connect: eager`,", ", connect: eager", { waitsForServers: false }],
  ])("and is slow is waited for %s longer than 3 seconds", async (_name, more, how) => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("slow", "slow.mjs", more)),
      "slow.mjs": SLOW,
    });
    const { warnings, clock, options } = warned(how);
    const agent = await openScriptAgent(directory.path, [call("mcp_slow_greet"), DONE], options);
    const first = prompt(agent);
    await clock.untilTimer();
    clock.pass(29_000);
    await Bun.write(join(directory.path, "go"), "");
    await first;
    expect(resultsIn(await agent.session().messages())).toStrictEqual(["{}"]);
    expect(warnings).toStrictEqual([]);
    await agent.close();
  });

  test("and does not come within 32 seconds is named, and the prompt goes on without it", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("slow", "slow.mjs")),
      "slow.mjs": SLOW,
    });
    const { warnings, clock, options } = warned();
    const agent = await openScriptAgent(directory.path, [DONE], options);
    const first = prompt(agent);
    await clock.untilTimer();
    clock.pass(32_000);
    await first;
    expect(warnings).toStrictEqual([
      "the MCP server slow has not connected within 32 seconds; its tools join a later prompt",
    ]);
    await agent.close();
  });
});

describe.skipIf(requireProgram("bwrap"))("the tools of a prompt", () => {
  test("stay the same while it runs; what the server lists meanwhile counts from the next one", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
      "server.mjs": bareServer(`
        handlers["tools/call"] = (id) => {
          tools = [...tools, { name: "leave", description: "Leaves.", inputSchema: { type: "object" } }];
          send({ method: "notifications/tools/list_changed" });
          text(id, "changed");
        };`),
    });
    const { options } = warned();
    const replies = [call("mcp_bare_greet"), call("mcp_bare_leave"), DONE, call("mcp_bare_leave"), DONE];
    const agent = await openScriptAgent(directory.path, replies, options);
    const running = agent.session().prompt("Go");
    await Array.fromAsync(running);
    expect(resultsIn(await agent.session().messages())[1]).toContain("there is no tool mcp_bare_leave");
    await eventually(() => expect(mcpTools(agent)).toHaveLength(2));
    await prompt(agent);
    expect(resultsIn(await agent.session().messages())[2]).toBe("changed");
    await agent.close();
  });

  test("are limited by `tools` of the server and of the agent, and a name that is taken is refused with a warning", async () => {
    const server = bareServer(`tools = ["one", "two", "bad name", "three"].map((name) => ({ ...tools[0], name }));`);
    using directory = agentDirectory({
      "agent.mdx": `${agentWithServers(fileServer("bare", "server.mjs", ", tools: [one, two]"))}
<Tool name="mcp.bare.two" description="Takes the name">

\`\`\`ts
async function execute() {
  return "mine";
}
\`\`\`

</Tool>
`,
      "server.mjs": server,
    });
    const { warnings, options } = warned();
    const agent = await openScriptAgent(directory.path, [DONE], options);
    await prompt(agent);
    expect([...agent.session().toolOrigins()].filter(([name]) => name.startsWith("mcp."))).toStrictEqual([
      ["mcp.bare.two", "inline"],
      ["mcp.bare.one", "mcp:bare"],
    ]);
    expect(warnings).toStrictEqual([
      "the tool mcp.bare.two of mcp:bare is left out: inline has a tool of the same name",
    ]);
    await agent.close();
  });
});

describe.skipIf(requireProgram("bwrap"))("what a server lists and cannot be used", () => {
  test("alone is left out, and the user is notified once, also when the server starts again", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
      "server.mjs": bareServer(`
        tools = [tools[0], null, { ...tools[0], name: "bad name" }, { ...tools[0], required: null, title: null }];
        handlers["tools/list"] = (id) => answer(id, { tools, nextCursor: null, _meta: null });
        handlers["tools/call"] = (id) => process.exit(1);`),
    });
    const { warnings, options } = warned();
    const agent = await openScriptAgent(directory.path, [call("mcp_bare_greet"), DONE, DONE], options);
    await prompt(agent);
    await prompt(agent);
    expect(mcpTools(agent)).toStrictEqual(["mcp.bare.greet"]);
    const ofLists = warnings.filter((line) => line.includes(" lists "));
    expect(ofLists).toStrictEqual([
      "the MCP server bare lists a tool without a name, which is left out",
      "the MCP server bare lists 2 tools named greet; the first is used",
      "the MCP server bare lists a tool whose name cannot be used: bad name",
    ]);
    await agent.close();
  });
});

describe.skipIf(requireProgram("bwrap"))("the server of a skill", () => {
  const files = {
    "agent.mdx": agentWithServers(""),
    "skills/greeter/SKILL.md": `---
name: greeter
description: Greets.
enabled_by_default: false
mcp_server: {command: ${JSON.stringify(process.execPath)}, args: ["{baseDir}/server.mjs"]}
---
Greets.
`,
    "skills/greeter/server.mjs": `import { writeFileSync } from "node:fs";\nwriteFileSync("started", "");\n${bareServer("")}`,
  };

  test("is started for a session that has the skill, and for no other one", async () => {
    using directory = agentDirectory({ ...files, "agent.mdx": "# Agent: Tea\n\n## Purpose\n\nBrew tea.\n" });
    const { options } = warned();
    const agent = await openScriptAgent(directory.path, [DONE, call("mcp_greeter_greet"), DONE], options);
    await prompt(agent);
    expect(existsSync(join(directory.path, "started"))).toBe(false);
    expect(agent.servers.map(({ name, declaredBy }) => [name, declaredBy])).toStrictEqual([
      ["greeter", "the skill greeter"],
    ]);
    await agent.session().enableSkill("greeter");
    await prompt(agent);
    expect(resultsIn(await agent.session().messages())).toStrictEqual(["{}"]);
    await agent.close();
  });

  test("is refused if agent.mdx has a server of the same name", async () => {
    using directory = agentDirectory({ ...files, "agent.mdx": agentWithServers("  greeter: {command: x}\n") });
    const { warnings, options } = warned();
    const agent = await openScriptAgent(directory.path, [], options);
    expect(warnings).toStrictEqual([
      "the MCP server greeter of the skill greeter is not used: agent.mdx declares a server of the same name",
    ]);
    await agent.close();
  });
});

test("a question of a server goes to the user, and is declined if there is no one to ask", async () => {
  const server = bareServer(`
    let call;
    const listen = handlers["tools/call"];
    handlers["tools/call"] = (id) => {
      call = id;
      send({ id: "q", method: "elicitation/create", params: {
        message: "Which tea?",
        requestedSchema: { type: "object", properties: { tea: { type: "string" } }, required: ["tea"] },
      } });
    };
    process.stdin.on("data", (data) => {
      for (const line of String(data).split("\\n").filter(Boolean)) {
        const { id, result } = JSON.parse(line);
        if (id === "q") text(call, result ? JSON.stringify(result) : "refused");
      }
    });`);
  using directory = agentDirectory({
    "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
    "server.mjs": server,
  });
  const asked: unknown[] = [];
  const { options } = warned({
    onServerQuestion: async (name, question) => {
      asked.push([name, question.type, question.message]);
      return { action: "accept", content: { tea: "Assam" } };
    },
  });
  const replies = [call("mcp_bare_greet"), DONE];
  const agent = await openScriptAgent(directory.path, replies, options);
  await prompt(agent);
  expect(asked).toStrictEqual([["bare", "form", "Which tea?"]]);
  expect(resultsIn(await agent.session().messages())[0]).toContain("Assam");
  await agent.close();

  const alone = await openScriptAgent(directory.path, replies, { ...warned().options, session: "alone" });
  await prompt(alone);
  expect(resultsIn(await alone.session("alone").messages())[0]).toBe("refused");
  await alone.close();
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a server survives the reload of other modules, and one that is removed answers the prompts that have its tools, and ends", async () => {
  using directory = agentDirectory({
    "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
    "server.mjs": bareServer(`
      import { appendFileSync, existsSync } from "node:fs";
      appendFileSync("pids", process.pid + " ");
      handlers["tools/call"] = (id) => {
        appendFileSync("called", "");
        const timer = setInterval(() => {
          if (!existsSync("go")) return;
          clearInterval(timer);
          text(id, "answered");
        }, 20);
      };`),
    "modules/a.ts": 'export default { systemPrompt: () => "one" };',
  });
  const pids = (): readonly number[] =>
    readFileSync(join(directory.path, "pids"), "utf8").trim().split(" ").map(Number);
  const changes = async () => ({ directory: await readAgentDirectory(directory.path) });
  const { options, warnings } = warned({ refresh: changes });
  const replies = [DONE, call("mcp_bare_greet"), call("mcp_bare_greet"), DONE, DONE];
  const agent = await openScriptAgent(directory.path, replies, options);
  await prompt(agent);
  writeFileSync(join(directory.path, "modules/a.ts"), 'export default { systemPrompt: () => "two" };');
  const running = prompt(agent);
  await eventually(() => expect(existsSync(join(directory.path, "called"))).toBeTrue());
  expect(await agent.systemPrompt()).toContain("two");
  const [pid = 0] = pids();

  writeFileSync(join(directory.path, "agent.mdx"), agentWithServers(""));
  await agent.refresh();
  expect(agent.servers).toStrictEqual([]);
  expect(isAlive(pid)).toBeTrue();
  writeFileSync(join(directory.path, "go"), "");
  await running;
  expect(resultsIn(await agent.session().messages())).toStrictEqual(["answered", "answered"]);
  await eventually(() => !isAlive(pid));
  expect([pids(), warnings]).toStrictEqual([[pid], []]);
  await prompt(agent);
  expect(mcpTools(agent)).toStrictEqual([]);
  await agent.close();
});

test("closing the agent ends its servers, and the processes that they started", async () => {
  using directory = agentDirectory({
    "agent.mdx": agentWithServers(fileServer("bare", "server.mjs", ", connect: eager")),
    "server.mjs": bareServer(`
      import { spawn } from "node:child_process";
      import { writeFileSync } from "node:fs";
      const child = spawn("sleep", ["1000"]);
      child.unref();
      writeFileSync("pids", process.pid + " " + child.pid);`),
  });
  const agent = await openScriptAgent(directory.path, [], warned().options);
  await eventually(() => expect(agent.servers[0]?.state.type).toBe("connected"));
  const pids = readFileSync(join(directory.path, "pids"), "utf8").split(" ").map(Number);
  expect(pids.map(isAlive)).toStrictEqual([true, true]);
  await agent.close();
  await eventually(() => !pids.some(isAlive));
  expect(agent.servers[0]?.state.type).toBe("closed");
});
