import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { listOf, recordOf } from "@mdx-ai/base";
import { makeSession } from "@mdx-ai/sessions";
import { type AcpEditor, acpEditor, choosing, connectEditor, requestsOf, sees } from "../../support/acp-editor.ts";
import { writeText } from "../../support/agent-files.ts";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { eventually } from "../../support/eventually.ts";
import { textReply } from "../../support/openai-replies.ts";
import { openAiServer } from "../../support/openai-server.ts";
import { scriptReference } from "../../support/replies.ts";
import { runCommandLine } from "../../support/run-command-line.ts";

const { session } = methods.agent;

const SKILL = "---\nname: review\ndescription: Reviews code\n---\n\nLook closely.\n";

describe("a prompt", () => {
  test("that the model cannot answer is an error with its words; a rejected key asks to authenticate", async () => {
    const failing = (status: number) => [{ error: { message: `refused ${status}`, status } }];
    for (const [status, code] of [
      [400, -32603],
      [401, -32000],
    ] as const) {
      await using editor = await acpEditor({ replies: failing(status) });
      const { sessionId } = await editor.open();
      const error = await editor.say(sessionId, "Hi.").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, message: expect.stringContaining(`refused ${status}`) });
    }
  });

  test("/compact ends as cancelled when it is cancelled", async () => {
    using server = openAiServer(...["1", "2", "3"].map((text) => textReply(text)), {
      ...textReply("Never."),
      before: 600_000,
    });
    await using base = await acpEditor();
    const { directory, home, work } = base.parts;
    const environment = server.environment("groq");
    await using editor = await connectEditor({ directory, home, work, model: "groq/a-model", environment });
    const { sessionId } = await editor.open();
    for (const text of ["a", "b", "c"]) await editor.say(sessionId, `${text} ${"long ".repeat(2000)}`);
    const answer = editor.say(sessionId, "/compact");
    await eventually(() => server.requests.length === 4);
    await editor.agent.notify(session.cancel, { sessionId });
    expect(await answer).toStrictEqual({ stopReason: "cancelled" });
  });

  test("that a limit ends says so", async () => {
    const again = { calls: [{ id: "1", name: "read_file", arguments: { path: "agent.mdx" } }] };
    await using editor = await acpEditor({ replies: [again, again], run: { maxTurns: 1 } });
    const { sessionId } = await editor.open();
    expect(await editor.say(sessionId, "Go on.")).toStrictEqual({ stopReason: "max_turn_requests" });
    expect(editor.texts(sessionId)).toContain("stopped at the limit of 1 turn");
  });
});

describe("a session", () => {
  test("works in the client's folder, and in more of them after a question", async () => {
    const write = (path: string) => ({ calls: [{ id: path, name: "write_file", arguments: { path, content: "x" } }] });
    await using editor = await acpEditor({ permission: choosing("no"), replies: [{ text: "-" }] });
    const more = join(editor.parts.home, "more");
    mkdirSync(more);
    writeText(join(more, "a.txt"), "more\n");
    const { directory, home, work } = editor.parts;
    const read = { calls: [{ id: "r", name: "read_file", arguments: { path: join(more, "a.txt") } }] };
    const model = scriptReference(home, [read, write(join(more, "b.txt")), write(join(home, "c.txt")), { text: "." }]);
    await using other = await connectEditor({
      ...{ directory, home, work, model },
      permission: choosing("no"),
      run: { mode: "edits" },
    });
    const { sessionId } = await other.open({ additionalDirectories: [more] });
    await other.say(sessionId, "Work.");
    const ended = other
      .of(sessionId, "tool_call_update")
      .flatMap(({ status }) => (status === "completed" || status === "failed" ? [status] : []));
    expect(ended).toStrictEqual(["completed", "completed", "failed"]);
    const asked = requestsOf(other, methods.client.session.requestPermission);
    expect(asked).toMatchObject([{ toolCall: { title: expect.stringContaining("c.txt") } }]);
  });

  test("offers its skills as commands", async () => {
    await using editor = await acpEditor({ files: { "skills/review/SKILL.md": SKILL } });
    const { sessionId } = await editor.open();
    await sees(editor, sessionId, ({ sessionUpdate }) => sessionUpdate === "available_commands_update");
    const [offered] = editor.of(sessionId, "available_commands_update");
    expect(offered?.availableCommands.map(({ name }) => name)).toStrictEqual(["compact", "skill:review"]);
  });

  test("sees the changes of its agent with the next prompt, and code that has changed once the user trusts it", async () => {
    const tool = (word: string): string => agentText(toolWithCode(`const execute = () => "the ${word} answer";`));
    const probe = { calls: [{ id: "1", name: "probe", arguments: { city: "Vienna" } }] };
    await using editor = await acpEditor({
      ...{
        files: { "agent.mdx": tool("old") },
        run: { isTrusted: false },
        replies: [probe, { text: "." }, probe, { text: "." }],
      },
      frontEnd: { onNotice: () => {} },
    });
    const { directory, home } = editor.parts;
    expect((await runCommandLine(["trust", directory], { home })).exitCode).toBe(0);
    const { sessionId } = await editor.open();
    writeText(join(directory, "skills/review/SKILL.md"), SKILL);
    writeText(join(directory, "agent.mdx"), tool("new"));
    await editor.say(sessionId, "Probe.");
    expect(editor.parts.warnings).toEqual([
      expect.stringContaining(`its code has changed, so the agent runs on unchanged; mdx-ai trust ${directory}`),
    ]);
    expect((await runCommandLine(["trust", directory], { home })).exitCode).toBe(0);
    await editor.say(sessionId, "Probe again.");
    const results = editor.of(sessionId, "tool_call_update").filter(({ status }) => status === "completed");
    expect(results.map(({ content }) => JSON.stringify(content))).toEqual([
      expect.stringContaining("the old answer"),
      expect.stringContaining("the new answer"),
    ]);
    const commands = editor.of(sessionId, "available_commands_update").at(-1)?.availableCommands;
    expect(commands?.map(({ name }) => name)).toEqual(["compact", "skill:review"]);
  });

  test("can use every model whose key is set", async () => {
    const environment = { OPENAI_API_KEY: "sk-one" };
    await using editor = await acpEditor({ environment });
    const { sessionId, configOptions } = await editor.open();
    const model = configOptions?.find(({ id }) => id === "model");
    const values = model?.type === "select" ? model.options.map((one) => ("value" in one ? one.value : "")) : [];
    expect(values).toContain(String(model?.currentValue));
    const reference = values.find((value) => value.startsWith("openai/")) ?? "";
    expect(values.every((value) => value.startsWith("openai/") || value.startsWith("script:"))).toBe(true);
    const set = { sessionId, configId: "model", value: reference };
    expect(await editor.agent.request(session.setConfigOption, set)).toMatchObject({
      configOptions: [{ id: "mode" }, { id: "model", currentValue: reference }],
    });
  });

  test.each(["session/close", "the end of the connection"])("without a prompt leaves nothing after %s", async (how) => {
    await using base = await acpEditor();
    const { directory, home, work } = base.parts;
    const editor = await connectEditor({ directory, home, work, model: "offline" });
    const first = await editor.open();
    const second = await editor.open();
    const load = { sessionId: second.sessionId, cwd: work, mcpServers: [] };
    await editor.agent.request(session.load, load);
    await editor.say(first.sessionId, "Hi.");
    if (how === "session/close") {
      for (const { sessionId } of [first, second]) await editor.agent.request(session.close, { sessionId });
      expect(await editor.agent.request(session.load, load).catch(({ code }) => code)).toBe(-32002);
    }
    await editor.parts.close();
    const folders = readdirSync(join(directory, "sessions")).filter((name) => !name.startsWith("."));
    expect(folders).toStrictEqual([first.sessionId]);
  });

  test("that is loaded and closed several times at once is open once, and can be used", async () => {
    await using editor = await acpEditor({ replies: [{ text: "One." }, { text: "Two." }] });
    const { sessionId } = await editor.open();
    await editor.say(sessionId, "1");
    const load = () =>
      editor.agent.request(session.load, { sessionId, cwd: editor.parts.work, mcpServers: [] }).catch(() => {});
    const close = () => editor.agent.request(session.close, { sessionId });
    await Promise.all([load(), load(), close(), load(), close(), load()]);
    expect(await editor.say(sessionId, "2")).toStrictEqual({ stopReason: "end_turn" });
    expect(await editor.agent.request(session.delete, { sessionId })).toStrictEqual({});
  });

  test("that began elsewhere stays, also without a prompt", async () => {
    await using base = await acpEditor();
    const { directory, home, work } = base.parts;
    makeSession(directory, "planned");
    const editor = await connectEditor({ directory, home, work, model: "offline" });
    await editor.agent.request(session.load, { sessionId: "planned", cwd: work, mcpServers: [] });
    await editor.agent.request(session.close, { sessionId: "planned" });
    await editor.parts.close();
    expect(existsSync(join(directory, "sessions/planned"))).toBe(true);
  });

  test("keeps its model and mode when it is loaded again, and the model of its last answer in another editor", async () => {
    using server = openAiServer(textReply("Hello."));
    const environment = server.environment("groq");
    await using base = await acpEditor();
    const { directory, home, work } = base.parts;
    const model = scriptReference(home, [{ text: "Unused." }]);
    const editor = await connectEditor({ directory, home, work, model, environment });
    const { sessionId, configOptions } = await editor.open();
    const valuesOf = (options: unknown): Readonly<Record<string, unknown>> =>
      Object.fromEntries(listOf(options).map((one) => [recordOf(one)["id"], recordOf(one)["currentValue"]]));
    const option = listOf(configOptions)
      .map(recordOf)
      .find(({ id }) => id === "model");
    const value =
      listOf(option?.["options"])
        .map((one) => String(recordOf(one)["value"]))
        .find((one) => one.startsWith("groq/")) ?? "";
    await editor.agent.request(session.setConfigOption, { sessionId, configId: "model", value });
    await editor.agent.request(session.setMode, { sessionId, modeId: "plan" });
    const load = async (from: AcpEditor) =>
      valuesOf((await from.agent.request(session.load, { sessionId, cwd: work, mcpServers: [] })).configOptions);
    expect(await load(editor)).toEqual({ mode: "plan", model: value });
    // A model that is chosen before the first prompt counts in another editor, too.
    await editor.agent.request(session.close, { sessionId });
    const other = await connectEditor({ directory, home, work, model, environment });
    expect(await load(other)).toMatchObject({ model: value });
    await other.parts.close();
    expect(await load(editor)).toMatchObject({ model: value });
    await editor.agent.request(session.setMode, { sessionId, modeId: "ask" });
    await editor.say(sessionId, "Hi.");
    expect(editor.texts(sessionId)).toBe("Hello.");
    await editor.parts.close();
    await using later = await connectEditor({ directory, home, work, model, environment });
    expect(await load(later)).toEqual({ mode: "ask", model: value });
  });
});
