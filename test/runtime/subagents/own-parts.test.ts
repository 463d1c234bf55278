import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareServer, fileServer } from "../../support/mcp-server-file.ts";
import { textReply, toolReply } from "../../support/openai-replies.ts";
import { openAiServer } from "../../support/openai-server.ts";
import { agentText, run, team, teamModel, toolTexts } from "../../support/team.ts";

const HELPER = '<Agent name="helper" src="../helper" description="Helps" />';

const files = (lead = "", helper = "") =>
  team({ "lead/agent.mdx": agentText("lead", HELPER, lead), "helper/agent.mdx": agentText("helper", "", helper) });

test("an agent edits the files of its caller's workspace, and its own session can take that back", async () => {
  using folder = files();
  const path = join(folder.path, "plan.txt");
  writeFileSync(path, "draft\n");
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: "Edit" }, "done"],
      helper: [
        { read_file: { path: "plan.txt" } },
        { edit_file: { path: "plan.txt", edits: [{ old: "draft", new: "final" }] } },
        "edited",
      ],
    }),
  );
  await run(opened, "Go");
  await opened.close();
  expect(readFileSync(path, "utf8")).toBe("final\n");
  const data = join(folder.path, "state/agents/helper");
  const [session = ""] = readdirSync(join(data, "sessions"));
  const { openDirectory } = await import("@mdx-ai/directory");
  const helper = await openDirectory("helper", {
    ...{ frontEnd: folder.frontEnd, model: teamModel({ helper: ["continued"] }) },
    run: { isTrusted: true, data, session },
  });
  try {
    expect(await helper.agent.session(session).checkpoints()).toMatchObject([{ files: [{ path }] }]);
    await helper.agent.session(session).undo();
    expect(readFileSync(path, "utf8")).toBe("draft\n");
  } finally {
    await helper.close();
  }
});

test("an agent has the model that it names, else its caller's", async () => {
  const call = (name: string) => toolReply({ id: name, name, input: { prompt: "Help" } });
  using server = openAiServer(
    ...[call("helper"), textReply("helped"), call("other"), textReply("helped, too"), textReply("done")],
  );
  using folder = team({
    "lead/agent.mdx": agentText(
      "lead",
      `${HELPER}\n\n<Agent name="other" src="../other" description="x" />`,
      "model: groq/one",
    ),
    "helper/agent.mdx": agentText("helper", "", "model: groq/two"),
    "other/agent.mdx": agentText("other"),
  });
  const { openDirectory } = await import("@mdx-ai/directory");
  const frontEnd = {
    ...folder.frontEnd,
    environment: { ...folder.frontEnd.environment, ...server.environment("groq") },
  };
  const opened = await openDirectory("lead", { frontEnd, run: { isTrusted: true } });
  try {
    await run(opened, "Go");
    expect(toolTexts(await opened.agent.session().messages())).toStrictEqual(["helped", "helped, too"]);
    const models = server.requests.map(
      ({ body }) => typeof body === "object" && body !== null && "model" in body && body.model,
    );
    expect(models).toStrictEqual(["one", "two", "one", "one", "one"]);
  } finally {
    await opened.close();
  }
});

const ASKS = `
  let call;
  handlers["tools/call"] = (id) => {
    call = id;
    send({ id: "q", method: "elicitation/create", params: {
      message: "Which colour?",
      requestedSchema: { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] },
    } });
  };
  process.stdin.on("data", (data) => {
    for (const line of String(data).split("\\n").filter(Boolean)) {
      const { id, result } = JSON.parse(line);
      if (id === "q") text(call, result ? result.action + " " + result.content?.colour : "refused");
    }
  });`;

test("the question of an agent's MCP server is asked in the session of its caller, and names the agent", async () => {
  using folder = team({
    "lead/agent.mdx": agentText("lead", HELPER),
    "helper/agent.mdx": agentText("helper", "", `mcp:\n${fileServer("paint", "paint.mjs")}`),
    "helper/paint.mjs": bareServer(ASKS),
  });
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: "Paint" }, "done"],
      helper: ({ messages }) => toolTexts(messages)[0] ?? { mcp_paint_greet: {} },
    }),
    { run: { answersWithin: 60, allow: ["mcp.*"] } },
  );
  try {
    const session = opened.agent.session();
    const asked: unknown[] = [];
    for await (const event of session.prompt("Go")) {
      if (event.type !== "question_asked") continue;
      asked.push(event.question);
      await session.answer(event.question.id, { colour: "red" });
    }
    expect(asked).toMatchObject([{ kind: "elicitation", session: "main", agent: "helper", server: "paint" }]);
    expect(toolTexts(await session.messages())).toStrictEqual(["accept red"]);
    expect(existsSync(join(folder.path, "state/agents/helper"))).toBe(true);
  } finally {
    await opened.close();
  }
});
