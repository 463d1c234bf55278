import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import type { Agent, Subagent } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { agentWithServers, bareServer, fileServer } from "../../support/mcp-server-file.ts";
import type { Reply } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const agentWith = (settings: string): string => `---\n${settings}\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n`;

const usage = { input: 90, output: 10, cacheRead: 0, cacheWrite: 0 };
const write: Reply = {
  calls: [{ id: "w", name: "write_file", arguments: { path: "a.txt", content: "a" } }],
  usage,
};
const hangs: Reply = { text: "never", delay: 86_000_000 };
const said: Reply = { text: "done", usage };

/** The clock begins now, since the answers of the script have the time of the machine. */
const HOUR = 3_600_000;

/** A prompt of 60 s that asks its user once, before the second request of the model. */
const QUESTIONS: readonly (readonly [title: string, settings: string])[] = [
  ["a limit", "limits: { seconds: 60, tokens: 100, on: ask }"],
  ["a call", "limits: { seconds: 60 }\npermissions: { write_file: ask }"],
];

const ends = (events: readonly AgentEvent[]): unknown =>
  events.flatMap((event) => {
    if (event.type === "limit_reached") return [event.limit];
    return event.type === "agent_end" ? [event.outcome] : [];
  });

/** Collects the events of a prompt, also while it runs. */
function noted(prompt: AsyncIterable<AgentEvent>) {
  const events: AgentEvent[] = [];
  const done = (async () => {
    for await (const event of prompt) events.push(event);
  })();
  const reached = (type: AgentEvent["type"]): Promise<void> =>
    eventually(() => events.some((one) => one.type === type));
  return { events, done, reached };
}

const answer = async (agent: Agent): Promise<void> => {
  const [question] = agent.session().openQuestions;
  await agent.session().answer(question?.id ?? "", "yes");
};

describe("limits.seconds", () => {
  test.each(QUESTIONS)("do not count the time that a question about %s waits", async (_title, settings) => {
    using directory = agentDirectory({ "agent.mdx": agentWith(settings) });
    const clock = new HandClock(new Date().toISOString());
    const agent = await openScriptAgent(directory.path, [write, said], { clock, answersWithin: 86_400 });
    const { events, done, reached } = noted(agent.session().prompt("go"));
    await reached("question_asked");
    clock.pass(HOUR);
    await answer(agent);
    await done;
    expect(ends(events)).toStrictEqual(["done"]);
    await agent.close();
  });

  test.each(QUESTIONS)("count the time before a question about %s, and after it", async (_title, settings) => {
    using directory = agentDirectory({ "agent.mdx": agentWith(settings) });
    const clock = new HandClock(new Date().toISOString());
    const agent = await openScriptAgent(directory.path, [{ ...write, delay: 200 }, hangs], {
      ...{ clock, answersWithin: 86_400 },
    });
    const { events, done, reached } = noted(agent.session().prompt("go"));
    await clock.untilTimer();
    clock.pass(20_000);
    await reached("question_asked");
    clock.pass(HOUR);
    await answer(agent);
    await eventually(() => events.filter(({ type }) => type === "turn_start").length === 2);
    await clock.untilTimer();
    clock.pass(39_000);
    await Bun.sleep(20);
    expect(ends(events)).toStrictEqual([]);
    clock.pass(1_000);
    await done;
    expect(ends(events)).toStrictEqual(["seconds", "limit"]);
    await agent.close();
  });

  test.each(QUESTIONS)(
    "do not count the time that a question about %s waits over a restart",
    async (_title, settings) => {
      using directory = agentDirectory({ "agent.mdx": agentWith(settings) });
      const clock = new HandClock(new Date().toISOString());
      const before = await openScriptAgent(directory.path, [write, said], { clock, answersWithin: 86_400 });
      const first = noted(before.session().prompt("go"));
      await first.reached("question_asked");
      await before.close();
      await first.done.catch(() => {});
      clock.pass(HOUR);
      const agent = await openScriptAgent(directory.path, [said], { clock, answersWithin: 86_400 });
      const { events, done, reached } = noted(agent.session().resume());
      await reached("question_asked");
      clock.pass(HOUR);
      await answer(agent);
      await done;
      expect(ends(events)).toStrictEqual(["done"]);
      await agent.close();
      // A third process comes to the same deadline from the journal.
      const later = await openScriptAgent(directory.path, [said], { clock });
      expect(ends(await Array.fromAsync(later.session().prompt("again")))).toStrictEqual(["done"]);
      await later.close();
    },
  );
});

/** A server whose tool asks its user, and then answers after "go" exists. */
const ASKING = bareServer(`
  import { existsSync } from "node:fs";
  let call;
  handlers["tools/call"] = (id) => {
    call = id;
    send({ id: "q", method: "elicitation/create", params: {
      message: "Which tea?",
      requestedSchema: { type: "object", properties: { tea: { type: "string" } } },
    } });
  };
  process.stdin.on("data", (data) => {
    if (!String(data).includes('"id":"q"')) return;
    setInterval(() => existsSync("go") && text(call, "Assam"), 20);
  });`);

const SERVER: Reply = { calls: [{ id: "s", name: "mcp_bare_greet", arguments: {} }], usage };
const CHILD: Reply = { calls: [{ id: "c", name: "researcher", arguments: { prompt: "look" } }], usage };

describe("limits.seconds of a prompt whose call asks the user", () => {
  const kinds: readonly (readonly [who: string, calling: Reply, ofChild: readonly Reply[]])[] = [
    ["an MCP server", SERVER, []],
    ["the agent that it calls", CHILD, [write, hangs]],
  ];

  test.each(kinds)(
    "do not count the time in which a question of %s waits, and count what follows",
    async (who, calling, ofChild) => {
      using directory = agentDirectory({
        "agent.mdx": agentWithServers(fileServer("bare", "server.mjs"), "limits: { seconds: 60 }\n"),
        "server.mjs": ASKING,
      });
      using child = agentDirectory({ "agent.mdx": agentWith("permissions: { write_file: ask }") });
      const clock = new HandClock(new Date().toISOString());
      const options = { clock, answersWithin: 86_400 };
      const researcher: Subagent = {
        ...{ name: "researcher", description: "Looks", folder: child.path, isBackground: false },
        open: async (parent) => {
          const opened = await openScriptAgent(child.path, ofChild, { ...options, parent });
          return { agent: opened, close: () => opened.close() };
        },
      };
      const agent = await openScriptAgent(directory.path, [calling, said], {
        ...{ ...options, permissions: { allow: ["mcp.*"] }, agents: [researcher] },
      });
      const { events, done, reached } = noted(agent.session().prompt("go"));
      await reached("question_asked");
      clock.pass(HOUR);
      await agent
        .session()
        .answer(agent.session().openQuestions[0]?.id ?? "", who === "an MCP server" ? { tea: "Assam" } : "yes");
      await reached("question_answered");
      await clock.untilTimer();
      clock.pass(59_000);
      await Bun.sleep(20);
      expect(ends(events)).toStrictEqual([]);
      clock.pass(1_000);
      await done;
      expect(ends(events)).toStrictEqual(["seconds", "limit"]);
      await agent.close();
    },
  );

  test("do not count it in the turns that follow, either", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers(fileServer("bare", "server.mjs"), "limits: { seconds: 60 }\n"),
      ...{ "server.mjs": ASKING, go: "" },
    });
    const clock = new HandClock(new Date().toISOString());
    const agent = await openScriptAgent(directory.path, [SERVER, hangs], {
      ...{ clock, answersWithin: 86_400, permissions: { allow: ["mcp.*"] } },
    });
    const { events, done, reached } = noted(agent.session().prompt("go"));
    await reached("question_asked");
    clock.pass(HOUR);
    await agent.session().answer(agent.session().openQuestions[0]?.id ?? "", { tea: "Assam" });
    await eventually(() => events.filter(({ type }) => type === "turn_start").length === 2);
    const [result] = (await agent.session().messages()).filter(({ role }) => role === "toolResult");
    expect(result).toMatchObject({ waited: HOUR });
    await clock.untilTimer();
    clock.pass(59_000);
    await Bun.sleep(20);
    expect(ends(events)).toStrictEqual([]);
    clock.pass(1_000);
    await done;
    expect(ends(events)).toStrictEqual(["seconds", "limit"]);
    await agent.close();
  });
});
