import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenDirectory } from "@mdx-ai/directory";
import { answerText, contentText } from "@mdx-ai/loop";
import type { LanguageModel, Message, ModelRequest } from "@mdx-ai/models";
import { eventually } from "../../support/eventually.ts";
import { agentText, run, type Said, type Team, team, teamModel, toolTexts } from "../../support/team.ts";

const HELPER = '<Agent name="helper" src="../helper" description="Helps" background />';

const files = (settings = "") =>
  team({ "lead/agent.mdx": agentText("lead", HELPER, settings), "helper/agent.mdx": agentText("helper") });

const said = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ role, content }) => (role === "user" ? [contentText(content)] : []));

const RESULT = /^\[the agent helper has ended; session \S+\]\n\nhelped$/;

test("a call of a background agent returns at once, and a prompt that nobody watches waits for its result", async () => {
  using folder = files();
  const answered = Promise.withResolvers<void>();
  const opened = await folder.open(
    teamModel({
      lead: (request) => {
        if (request.messages.length === 1) return { helper: "Help" };
        if (request.messages.length > 3) return "with the result";
        answered.resolve();
        return "without the result";
      },
      helper: async () => {
        await answered.promise;
        return "helped";
      },
    }),
  );
  try {
    await run(opened, "Go");
    const messages = await opened.agent.session().messages();
    expect(toolTexts(messages)).toStrictEqual(["started in the background; the result comes as a message"]);
    expect(said(messages)).toStrictEqual(["Go", expect.stringMatching(RESULT)]);
    expect(answerText(messages)).toBe("with the result");
  } finally {
    await opened.close();
  }
});

test("in a conversation the result of a background agent begins a prompt once the first has ended", async () => {
  using folder = files();
  const ended = Promise.withResolvers<void>();
  const thanked = Promise.withResolvers<void>();
  const opened = await folder.open(
    teamModel({
      lead: [{ helper: "Help" }, "later", "thanks"],
      helper: async () => {
        await ended.promise;
        return "helped";
      },
    }),
    {
      waitsForAgents: false,
      onBackgroundEvent: ({ type }) => {
        if (type === "agent_end") thanked.resolve();
      },
    },
  );
  try {
    await run(opened, "Go");
    expect(answerText(await opened.agent.session().messages())).toBe("later");
    ended.resolve();
    await thanked.promise;
    const messages = await opened.agent.session().messages();
    expect([answerText(messages), said(messages)]).toStrictEqual(["thanks", ["Go", expect.stringMatching(RESULT)]]);
  } finally {
    await opened.close();
  }
});

test("a background agent that a process left is continued by the next one", async () => {
  using folder = files();
  const reached = Promise.withResolvers<void>();
  const before = await folder.open(
    teamModel({
      lead: [{ helper: "Help" }, "waiting"],
      helper: (_request, signal) => {
        reached.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("lost"), { once: true }));
      },
    }),
  );
  const running = run(before, "Go").catch(() => {});
  await reached.promise;
  await before.close();
  await running;
  const after = await folder.open(
    teamModel({ lead: (request) => said(request.messages).at(-1) ?? "", helper: ["helped"] }),
  );
  try {
    for await (const _ of after.agent.session().resume());
    const messages = await after.agent.session().messages();
    expect(answerText(messages)).toMatch(RESULT);
  } finally {
    await after.close();
  }
});

/** Opens the lead for a conversation: prompts do not wait for agents in the background. */
const inConversation = (folder: Team, model: LanguageModel, onEnd = (): void => {}) =>
  folder.open(model, { waitsForAgents: false, onBackgroundEvent: ({ type }) => (type === "agent_end" ? onEnd() : {}) });

const tokensOf = async ({ agent }: OpenDirectory): Promise<number> =>
  (await agent.session().info()).session.usage.total;

test("what a background agent has cost is the session's, also after a restart, if its result began a prompt", async () => {
  using folder = files();
  const ended = Promise.withResolvers<void>();
  const thanked = Promise.withResolvers<void>();
  const helper = () => ended.promise.then(() => "helped");
  const before = await inConversation(
    folder,
    teamModel({ lead: [{ helper: "Help" }, "later", "thanks"], helper }),
    thanked.resolve,
  );
  await run(before, "Go");
  ended.resolve();
  await thanked.promise;
  // Two requests of the first prompt, one of the helper and one of the prompt with the result.
  expect(await tokensOf(before)).toBe(4 * 110);
  await before.close();
  const after = await inConversation(folder, teamModel({}));
  expect(await tokensOf(after)).toBe(4 * 110);
  await after.close();
});

test("what a background agent has cost is counted if its result waits on disk when the process ends", async () => {
  using folder = files("limits: { sessions: 1 }");
  const ended = Promise.withResolvers<void>();
  const lead = ({ messages }: ModelRequest, signal: AbortSignal): Said | Promise<Said> => {
    if (!JSON.stringify(messages).includes("Wait")) return messages.length === 1 ? { helper: "Help" } : "later";
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"), { once: true }));
  };
  const before = await inConversation(folder, teamModel({ lead, helper: () => ended.promise.then(() => "helped") }));
  await run(before, "Go");
  // The only slot is taken.
  const other = run({ ...before, session: "other" }, "Wait").catch(() => {});
  await eventually(() => before.agent.session("other").activePrompts.some(({ state }) => state === "running"));
  ended.resolve();
  const journal = join(folder.path, "sessions/main/journal.jsonl");
  await eventually(() => readFileSync(journal, "utf8").includes('"step":"queue:1"'));
  await before.close();
  await other;
  // The prompt waits for agents in the background: none works any more.
  const after = await folder.open(teamModel({ lead: ["thanks", "again"] }));
  for await (const _ of after.agent.session().resume());
  expect(await tokensOf(after)).toBe(4 * 110);
  await after.close();
});
