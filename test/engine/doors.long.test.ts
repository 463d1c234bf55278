import { expect, test } from "bun:test";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { noRedactor } from "@mdx-ai/base";
import { connectEngine } from "@mdx-ai/engine";
import OpenAI from "openai";
import { choosing, connectEditor, requestsOf } from "../support/acp-editor.ts";
import { wireProblems } from "../support/acp-schema.ts";
import { openPage, startBrowser } from "../support/browser.ts";
import { engineBench } from "../support/engine-bench.ts";
import { type EngineWorker, TOKEN } from "../support/engine-worker.ts";
import { eventually } from "../support/eventually.ts";
import { requireProgram } from "../support/require-program.ts";
import { restateProgram } from "../support/restate-server.ts";
import type { Json } from "../support/served-agent.ts";
import { type ToldReply, told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

const bash = (command: string): ToldReply => ({ calls: [{ id: "c1", name: "bash", input: { command } }] });

const clientOf = ({ url }: EngineWorker): OpenAI => new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN, maxRetries: 0 });

const user = (content: string) => ({ role: "user", content }) as const;

test.skipIf(!isInstalled)(
  "the OpenAI-compatible API of any worker runs prompts, continues conversations, and says where a question is answered",
  async () => {
    await using bench = await engineBench();
    const one = await bench.start("--mode", "ask");
    const other = await bench.start("--mode", "ask");
    const ask = async (worker: EngineWorker, ...messages: OpenAI.ChatCompletionMessageParam[]) => {
      const { data, response } = await clientOf(worker)
        .chat.completions.create({ model: "agent", messages })
        .withResponse();
      return {
        text: data.choices[0]?.message.content ?? "",
        session: response.headers.get("x-mdx-ai-session") ?? "",
      };
    };
    const hello = told("p", { text: "Hello." });
    const first = await ask(one, user(hello));
    expect(first.text).toBe("Hello.");
    const said = [user(hello), { role: "assistant", content: first.text }] as const;
    const second = await ask(one, ...said, user(told("q", { text: "Again." })));
    expect(second).toEqual({ text: "Again.", session: first.session });
    // Another worker knows the earlier messages by the request.
    const third = await ask(other, ...said, user(told("r", { text: "Elsewhere." })));
    expect([third.text, third.session === first.session]).toEqual(["Elsewhere.", false]);
    expect(JSON.stringify(bench.model.requests.at(-1)?.body)).toContain("Hello.");
    const { messages } = await one.json("GET", `sessions/${third.session}/messages`);
    expect(messages.map(({ role }: Json) => role)).toEqual(["user", "assistant", "user", "assistant"]);

    const stream = await clientOf(other).chat.completions.create({
      ...{ model: "agent", stream: true },
      messages: [user(told("s", bash("echo made >> effects"), { text: "It is made." }))],
    });
    const pieces = (await Array.fromAsync(stream)).map(({ choices: [choice] }) => choice?.delta.content ?? "");
    const [, id = "", session = ""] = /\[Question (\S+) of session (\S+) waits/.exec(pieces.join("")) ?? [];
    expect(pieces.join("")).toContain(`Answer it by POST to …/sessions/${session}/questions/${id}; then`);
    expect((await one.send("POST", `sessions/${session}/questions/${id}`, { answer: "yes" })).status).toBe(200);
    const end = (await one.eventsUntil(session, "agent_end")).at(-1);
    expect(end).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/effects")).toEqual(["made"]);

    const response = await clientOf(one).responses.create({
      model: "agent",
      input: told("t", { text: "A response." }),
    });
    expect(response.output_text).toBe("A response.");
  },
  120_000,
);

test.skipIf(!isInstalled)(
  "an editor runs prompts on the workers, answers their questions, and lists, loads and deletes their sessions",
  async () => {
    await using bench = await engineBench();
    const worker = await bench.start("--mode", "ask");
    const shared = await connectEngine(bench.server.address, "agent", noRedactor);
    await using editor = await connectEditor({
      ...{ home: bench.home, directory: join(bench.home, "agent"), work: join(bench.home, "agent"), shared },
      ...{ model: "deepseek/deepseek-chat", environment: bench.model.environment },
      permission: choosing("yes"),
    });
    const { sessionId, modes } = await editor.open();
    expect(modes).toBeUndefined();
    const text = told("p", { text: "I will look.", ...bash("echo made >> effects") }, { text: "It is made." });
    expect(await editor.say(sessionId, text)).toStrictEqual({ stopReason: "end_turn" });
    expect(editor.texts(sessionId)).toContain("It is made.");
    expect(requestsOf(editor, methods.client.session.requestPermission)).toHaveLength(1);
    expect(bench.linesOf("agent/effects")).toEqual(["made"]);
    expect((await worker.json("GET", `sessions/${sessionId}/messages`)).messages).toHaveLength(4);
    await worker.send("POST", `sessions/${sessionId}/prompts`, { text: told("q", { text: "Elsewhere." }) });
    await worker.eventsUntil(sessionId, "agent_end", "2.1");

    const { agent } = editor;
    const { list, load, delete: remove } = methods.agent.session;
    const ids = async (): Promise<readonly string[]> =>
      (await agent.request(list, {})).sessions.map((session) => session.sessionId);
    expect(await ids()).toEqual([sessionId]);
    await agent.request(load, { sessionId, cwd: editor.parts.work, mcpServers: [] });
    await eventually(() => editor.texts(sessionId).includes("Elsewhere."));
    await agent.request(remove, { sessionId });
    expect(await ids()).toEqual([]);
    expect((await worker.send("GET", `sessions/${sessionId}`)).status).toBe(404);
    expect(wireProblems(editor.parts.wire)).toStrictEqual([]);
  },
  120_000,
);

test.skipIf(!isInstalled || requireProgram("chromium"))(
  "the page of any worker shows a prompt that runs on another one, and answers its question",
  async () => {
    await using bench = await engineBench();
    const one = await bench.start("--mode", "ask");
    const other = await bench.start("--mode", "ask");
    const browser = await startBrowser();
    try {
      const [here, there] = await Promise.all(
        [one, other].map(async ({ url }) => (await openPage(browser, `${url}/#token=${TOKEN}`)).page),
      );
      if (here === undefined || there === undefined) throw new Error("no pages");
      const text = told("p", { text: "I will look.", ...bash("echo made >> effects") }, { text: "It is made." });
      const message = here.getByRole("textbox", { name: "Message" });
      await message.waitFor();
      await there.getByRole("textbox", { name: "Message" }).waitFor();
      await message.fill(text);
      await here.keyboard.press("Enter");
      for (const page of [here, there]) {
        const question = page.getByRole("region", { name: "A question to you" });
        await question.getByText("echo made").first().waitFor();
      }
      const question = there.getByRole("region", { name: "A question to you" });
      await question.getByRole("button", { name: "Allow once" }).click();
      for (const page of [here, there]) await page.getByText("It is made.").last().waitFor();
      await eventually(() => bench.linesOf("agent/effects").length === 1);
    } finally {
      await browser.close();
    }
  },
  120_000,
);
