import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { AgentClosedError } from "@mdx-ai/runtime";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { answer, moduleText, run, toolResults } from "../../support/open-agent-bench.ts";
import { call } from "../../support/replies.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("without a setting a prompt ends after 50 turns", async () => {
  using directory = agentDirectory();
  const replies = Array.from({ length: 60 }, () => ({ calls: [call("read_file", { path: "agent.mdx" })] }));
  const agent = await openScriptAgent(directory.path, replies);
  const events = await run(agent, "loop");
  expect(events.filter((event) => event.type === "turn_start")).toHaveLength(50);
  expect(events.at(-2)).toMatchObject({ type: "limit_reached", value: 50 });
  await agent.close();
});

test("a module's prompt runs through the same loop and queue as the user's", async () => {
  using directory = agentDirectory({
    "modules/one.ts": moduleText({
      start: `globalThis.setTimeout(async () => { const r = await ctx.prompt("from the module"); await ctx.log("answer " + r.text + " " + r.outcome); }, 0)`,
    }),
  });
  const background: AgentEvent[] = [];
  const ended = Promise.withResolvers<void>();
  const agent = await openScriptAgent(directory.path, [{ text: "to one" }, { text: "to another" }], {
    onBackgroundEvent: (event) => {
      background.push(event);
      if (event.type === "agent_end") ended.resolve();
    },
  });
  await run(agent, "from the user");
  await ended.promise;
  expect(background[0]).toMatchObject({ type: "agent_start" });
  const texts = (await agent.session().messages()).flatMap((message) =>
    message.role === "user" ? message.content.map((block) => (block.type === "text" ? block.text : "")) : [],
  );
  expect(texts.toSorted()).toEqual(["from the module", "from the user"]);
  await agent.close();
});

test("a prompt that would wait for itself is refused, and costs one error result", async () => {
  using directory = agentDirectory({
    "modules/one.ts": moduleText({
      tools: `[{ name: "ask", description: "A", parameters: { type: "object" }, execute: async () => (await ctx.prompt("me")).text }]`,
    }),
  });
  const agent = await openScriptAgent(directory.path, [{ calls: [call("ask")] }, { text: "ok" }]);
  const events = await run(agent, "go");
  expect(toolResults(events).join("")).toContain("would wait for itself");
  expect(answer(events)).toBe("ok");
  await agent.close();
});

test("a module whose initialize fails is left out with a warning, and the others run", async () => {
  using directory = agentDirectory({
    "modules/bad.ts": moduleText({ initialize: `(() => { throw new Error("no database") })()` }),
    "modules/good.ts": moduleText({ systemPrompt: `"Good is here."` }),
  });
  const warnings: string[] = [];
  const agent = await openScriptAgent(directory.path, [{ text: "ok" }], {
    onWarning: (message) => warnings.push(message),
  });
  expect(await agent.systemPrompt()).toContain("Good is here.");
  expect(warnings.join()).toContain("no database");
  expect(answer(await run(agent, "go"))).toBe("ok");
  await agent.close();
});

test("prose with expressions is run once a session and journaled, so that the prompt stays the same to the byte", async () => {
  using directory = agentDirectory({
    "agent.mdx": `export const stamp = "stamp-" + Math.random();\n\n# Agent: Test\n\n## Purpose\n\nKnows {stamp} and {stamp.length > 0 ? 2 : 0}.\n`,
  });
  const first = await openScriptAgent(directory.path, [{ text: "ok" }]);
  await run(first, "Hi");
  await first.close();
  const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  const stamp = /stamp-[\d.]+/.exec(journal)?.[0];
  expect(stamp).toBeDefined();
  expect(journal).toContain("and 2");
  const second = await openScriptAgent(directory.path, [{ text: "ok" }]);
  await run(second, "Hi");
  await second.close();
  const later = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  expect(later.match(/"step":"identity:/g)).toHaveLength(1);
});

test("an interrupted prompt is finished before the next: nothing is run again, and a warning says so", async () => {
  using directory = agentDirectory({
    "agent.mdx":
      MINIMAL_AGENT +
      toolText(
        "mark",
        `const fs = await import("node:fs"); fs.appendFileSync(ctx.agentDir + "/effects", "x"); return "marked";`,
      ),
  });
  const before = await openScriptAgent(directory.path, [
    { calls: [call("mark", {}, "a"), call("mark", {}, "b")] },
    { text: "done" },
  ]);
  await run(before, "mark twice");
  await before.close();
  const path = join(directory.path, "sessions/main/journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  // As a kill would have left it: both tools started, one result written.
  const cut = lines.findLastIndex((line) => line.includes('"tool:1:') && line.includes('"result"'));
  writeFileSync(path, `${lines.slice(0, cut).join("\n")}\n`);

  const agent = await openScriptAgent(directory.path, [{ text: "finished" }, { text: "going on" }]);
  const events = await run(agent, "next");
  expect(events[0]).toStrictEqual({
    id: "1.0",
    type: "prompt_resumed",
    prompt: 1,
    input: "mark twice",
    state: "interrupted",
    tools: ["mark"],
  });
  const ends = events.flatMap((event) => (event.type === "agent_end" ? [answerText(event.messages)] : []));
  expect(ends).toStrictEqual(["finished", "going on"]);
  const messages = await agent.session().messages();
  const results = messages.filter((message) => message.role === "toolResult");
  expect(results).toHaveLength(2);
  expect(JSON.stringify(results)).toContain("interrupted, outcome unknown");
  expect(readFileSync(join(directory.path, "effects"), "utf8")).toBe("xx");
  await agent.close();
});

test("an agent that is closed refuses prompts, can be closed again, and has stopped its modules once", async () => {
  using directory = agentDirectory({
    "modules/one.ts": moduleText({ stop: `require("node:fs").appendFileSync(ctx.agentDir + "/stopped", "x")` }),
  });
  const agent = await openScriptAgent(directory.path, [{ text: "ok" }]);
  await run(agent, "go");
  await agent.close();
  await agent.close();
  expect(run(agent, "more")).rejects.toThrow(AgentClosedError);
  expect(readFileSync(join(directory.path, "stopped"), "utf8")).toBe("x");
  expect(existsSync(join(directory.path, "sessions/main/lock"))).toBe(false);
});

test("the cost of a prompt counts for its session when the prompt reports its end", async () => {
  using directory = agentDirectory({});
  const agent = await openScriptAgent(
    directory.path,
    ["one", "two"].map((text) => ({ text, usage: { input: 10, output: 1 } })),
  );
  await agent.session().info();
  const calls: number[] = [];
  for (const text of ["first", "second"]) {
    for await (const { type } of agent.session().prompt(text)) {
      if (type === "agent_end") calls.push((await agent.session().info()).session.calls);
    }
  }
  expect(calls).toStrictEqual([1, 2]);
  await agent.close();
});
