import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { answerText, contentText } from "@mdx-ai/loop";
import { agentText, run, type Said, team, teamModel, toolTexts } from "../../support/team.ts";

const RESEARCHER = '<Agent name="researcher" src="../researcher" description="Finds facts" />';

test("an agent is a tool: it works in a session of its own, and its text and cost are the result", async () => {
  using files = team({
    "lead/agent.mdx": agentText("lead", RESEARCHER),
    "researcher/agent.mdx": agentText("researcher"),
  });
  const model = teamModel({ lead: [{ researcher: "How high is it?" }, "It is high."], researcher: ["3,798 metres"] });
  const opened = await files.open(model);
  try {
    const events = await run(opened, "Ask");
    const messages = await opened.agent.session().messages();
    expect(answerText(messages)).toBe("It is high.");
    expect(toolTexts(messages)).toStrictEqual(["3,798 metres"]);
    const end = events.find((event) => event.type === "agent_end");
    expect(end?.type === "agent_end" && [end.cost.calls, end.cost.usage.input]).toStrictEqual([3, 300]);
    const [, asked] = model.requests;
    expect(asked?.messages.map(({ content }) => contentText(content))).toStrictEqual(["How high is it?"]);
    expect(asked?.system).toContain("Be researcher.");
    const [schema] = model.requests[0]?.tools.filter(({ name }) => name === "researcher") ?? [];
    expect(schema?.description).toBe("Finds facts");
    const inner = events.flatMap((event) => (event.type === "subagent_event" ? [event] : []));
    expect(new Set(inner.map(({ toolCallId, agent }) => `${agent} ${toolCallId}`))).toStrictEqual(
      new Set(["researcher call-1-0-0"]),
    );
    expect(inner.map(({ event }) => event.type)).toContain("agent_end");
    const sessions = join(files.path, "state/agents/researcher/sessions");
    expect(readdirSync(sessions)).toStrictEqual([inner[0]?.session ?? ""]);
    expect(existsSync(join(files.folder, "researcher/sessions"))).toBe(false);
  } finally {
    await opened.close();
  }
});

test("a Markdown file in agents/ is a tool, in the forms of Claude Code and opencode", async () => {
  using files = team({
    "lead/agent.mdx": agentText("lead"),
    "lead/agents/reviewer.md":
      "---\nname: reviewer\ndescription: Reviews\ntools: Read\nmodel: inherit\n---\nYou are reviewer.\n",
    "lead/agents/tester.md": "---\ndescription: Tests\nmode: subagent\ntools:\n  write: false\n---\nYou are tester.\n",
    "lead/agents/main.md": "---\ndescription: Main\nmode: primary\n---\nYou are main.\n",
  });
  const model = teamModel({
    lead: [{ reviewer: "a", tester: "b" }, "done"],
    reviewer: ["fine"],
    tester: ["green"],
  });
  const opened = await files.open(model);
  try {
    expect(opened.agent.tools.map(({ name }) => name)).not.toContain("main");
    await run(opened, "Go");
    expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["fine", "green"]);
  } finally {
    await opened.close();
  }
});

test("parallel calls run in parallel", async () => {
  using files = team({
    "lead/agent.mdx": agentText("lead", RESEARCHER),
    "researcher/agent.mdx": agentText("researcher"),
  });
  const both = Promise.withResolvers<void>();
  let running = 0;
  const model = teamModel({
    lead: [{ researcher: ["one", "two"] }, "done"],
    researcher: async () => {
      running += 1;
      if (running === 2) both.resolve();
      await both.promise;
      return "ok";
    },
  });
  const opened = await files.open(model);
  try {
    await run(opened, "Go");
    expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["ok", "ok"]);
  } finally {
    await opened.close();
  }
});

test("an agent that calls itself gets no deadlock on slots, and ends three levels below the first", async () => {
  const self = '<Agent name="me" src="." description="Yourself" />';
  using files = team({ "lead/agent.mdx": agentText("lead", self, "limits: {sessions: 1}") });
  const model = teamModel({
    lead: (request): Said => (request.messages.length === 1 ? { me: "deeper" } : `${toolTexts(request.messages)[0]}!`),
  });
  const opened = await files.open(model);
  try {
    await run(opened, "Go");
    expect(answerText(await opened.agent.session().messages())).toBe(
      "not run: agents can call agents 3 levels deep, and this is the last; do the work yourself!!!!",
    );
  } finally {
    await opened.close();
  }
});

test("a session is deleted with those of the agents that worked for it", async () => {
  using files = team({
    "lead/agent.mdx": agentText("lead", RESEARCHER),
    "researcher/agent.mdx": agentText("researcher", '<Agent name="reader" src="../reader" description="Reads" />'),
    "reader/agent.mdx": agentText("reader"),
  });
  const opened = await files.open(
    teamModel({ lead: [{ researcher: "Find" }, "done"], researcher: [{ reader: "Read" }, "found"], reader: ["read"] }),
  );
  try {
    await run(opened, "Go");
    const researchers = join(files.path, "state/agents/researcher");
    const folders = [files.path, researchers, join(researchers, "state/agents/reader")];
    const sessions = () => folders.map((folder) => readdirSync(join(folder, "sessions")).length);
    expect(sessions()).toStrictEqual([1, 1, 1]);
    await opened.agent.session().delete();
    expect(sessions()).toStrictEqual([0, 0, 0]);
  } finally {
    await opened.close();
  }
});
