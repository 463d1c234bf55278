import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, type OpenDirectoryOptions, openDirectory } from "@mdx-ai/directory";
import { type AgentEvent, answerText, contentText } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import { writeFiles } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { cliCommand } from "../../support/run-cli.ts";
import { run, type Said, teamModel, toolTexts } from "../../support/team.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

interface Bench extends Disposable {
  readonly path: string;
  readonly warnings: string[];
  /** What a command wrote beside the agent. */
  file(name: string): string;
  open(model: LanguageModel, options?: Partial<OpenDirectoryOptions>): Promise<OpenDirectory>;
}

/** An agent with hooks, without a sandbox unless the settings say so. */
function bench(hooks: object, { settings = "sandbox: off", more = "", files = {} } = {}): Bench {
  const home: TemporaryDirectory = temporaryDirectory();
  const front = `---\nbuiltins: coding\n${settings}\nhooks: ${JSON.stringify(hooks)}\n---\n`;
  writeFiles(home.path, {
    "lead/agent.mdx": `${front}# Agent: lead\n\n## Purpose\n\nBe lead.\n\n${more}\n`,
    ...files,
  });
  const path = join(home.path, "lead");
  const warnings: string[] = [];
  const frontEnd = { ...surroundingsIn(home.path), toolHostCommand: cliCommand(["__tool-host"]) };
  return {
    ...{ path, warnings },
    file: (name) => (existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8") : ""),
    open: (model, options = {}) =>
      openDirectory("lead", {
        ...{ frontEnd, model, onWarning: (line: string) => warnings.push(line), ...options },
        run: { isTrusted: true, ...options.run },
      }),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

const command = (text: string, more: object = {}) => ({ hooks: [{ type: "command", command: text, ...more }] });
const LOOK = { list_files: { path: "." } };

async function said(opened: OpenDirectory, text = "Go") {
  try {
    const events = await run(opened, text);
    const messages = await opened.agent.session().messages();
    return { events, messages, texts: toolTexts(messages), answer: answerText(messages) };
  } finally {
    await opened.close();
  }
}

const json = (text: string) => JSON.parse(text);
const outcomeOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === "agent_end");

describe("PreToolUse", () => {
  const model = () => teamModel({ lead: [LOOK, "done"] });

  test("gets the call as JSON on standard input, with the names of Claude Code", async () => {
    using folder = bench({ PreToolUse: [{ matcher: "LS|Bash", ...command("cat > in.json; env > env.txt") }] });
    const { texts } = await said(await folder.open(model()));
    expect(texts[0]).toContain("agent.mdx");
    expect(json(folder.file("in.json"))).toEqual({
      session_id: "main",
      transcript_path: join(folder.path, "sessions/main/journal.jsonl"),
      cwd: folder.path,
      permission_mode: "acceptEdits",
      hook_event_name: "PreToolUse",
      tool_name: "LS",
      tool_input: { path: ".", file_path: folder.path },
      tool_use_id: "call-1-0-0",
    });
    expect(folder.file("env.txt")).toContain(`CLAUDE_PROJECT_DIR=${folder.path}\n`);
    expect(folder.file("env.txt")).toContain(`AGENT_DIR=${folder.path}\n`);
    expect(folder.warnings).toEqual([]);
  });

  test("with exit code 2 denies the call, and the model gets the reason from standard error", async () => {
    using folder = bench({ PreToolUse: [command("echo 'not on Sundays' >&2; exit 2")] });
    const { texts, answer } = await said(await folder.open(model()));
    expect([texts, answer]).toEqual([["not run: not on Sundays"], "done"]);
  });

  test.each([
    ["exit 1", "exit code 1"],
    ["echo broken >&2; exit 7", "exit code 7: broken"],
    ["no-such-program", "exit code 127:"],
    ["sleep 20", "no end within 0.2 s"],
  ])("with another end is shown and denies nothing: %s", async (text, warning) => {
    using folder = bench({ PreToolUse: [command(text, { timeout: text.startsWith("sleep") ? 0.2 : 10 })] });
    const { texts } = await said(await folder.open(model()));
    expect(texts[0]).toContain("agent.mdx");
    expect(folder.warnings).toEqual([expect.stringContaining(`hook PreToolUse (${text}): ${warning}`)]);
  });

  test.each([
    ['{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"by JSON"}}', "not run: by JSON"],
    ['{"decision":"block","reason":"the old form"}', "not run: the old form"],
    ['{"continue":false,"stopReason":"stop"}', "not run: stop"],
  ])("may deny by its output %s", async (output, text) => {
    using folder = bench({ PreToolUse: [command(`echo '${output}'`)] });
    expect((await said(await folder.open(model()))).texts).toEqual([text]);
  });

  test("that cannot start denies the call, and the user and the model see the reason", async () => {
    using folder = bench({ PreToolUse: [command(`: ${"x".repeat(140_000)}`)] });
    const { texts } = await said(await folder.open(model()));
    const reason = "the command is too long: write it to a file and run that";
    expect(texts).toEqual([expect.stringMatching(new RegExp(`^not run: the hook : x+.* could not start: ${reason}$`))]);
    expect(folder.warnings).toEqual([expect.stringContaining(`could not start: ${reason}`)]);
  });

  test("cannot allow what the permissions deny", async () => {
    const allow = '{"hookSpecificOutput":{"permissionDecision":"allow"}}';
    const settings = "sandbox: off\npermissions: {list_files: deny}";
    using folder = bench({ PreToolUse: [command(`echo '${allow}'`)] }, { settings });
    expect((await said(await folder.open(model()))).texts[0]).toContain("settings deny list_files");
  });

  test.each([
    ["list_files", true],
    ["LS", true],
    ["Read|LS", true],
    ["", true],
    ["*", true],
    [".*files", true],
    ["Read", false],
    ["LSP", false],
    ["mcp__.*", false],
  ])("with the matcher %j: %p", async (matcher, runs) => {
    using folder = bench({ PreToolUse: [{ matcher, ...command("touch ran.txt") }] });
    await said(await folder.open(model()));
    expect(existsSync(join(folder.path, "ran.txt"))).toBe(runs);
  });
});

test("after a call, PostToolUse gets the response and speaks to the model by exit code 2 or additionalContext", async () => {
  const context = '{"hookSpecificOutput":{"additionalContext":"it is formatted"}}';
  using folder = bench({
    PostToolUse: [
      { matcher: "LS", ...command("cat > in.json; echo 'lint failed' >&2; exit 2") },
      { matcher: "LS", ...command(`echo '${context}'`) },
    ],
    PostToolUseFailure: [command("cat > failed.json")],
  });
  const model = teamModel({ lead: [{ list_files: [{}, { path: "none" }] }, "done"] });
  const { messages, events } = await said(await folder.open(model));
  expect(json(folder.file("in.json"))).toMatchObject({
    ...{ hook_event_name: "PostToolUse", tool_name: "LS" },
    tool_response: { content: expect.stringContaining("agent.mdx"), success: true },
  });
  expect(json(folder.file("failed.json"))).toMatchObject({ error: expect.stringContaining("none") });
  const added = messages.filter((message) => message.role === "user" && message.origin === "module");
  expect(added.map(({ content }) => contentText(content))).toEqual([
    "[hook after list_files] lint failed\nit is formatted",
  ]);
  expect(messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "user",
    "assistant",
  ]);
  expect(model.requests.at(-1)?.messages).toHaveLength(5);
  expect(outcomeOf(events)).toMatchObject({ outcome: "done" });
  // The next process reads the same conversation.
  const again = await folder.open(teamModel({ lead: ["more"] }));
  expect(JSON.stringify(await again.agent.session().messages())).toBe(JSON.stringify(messages));
  await again.close();
});

describe("UserPromptSubmit and SessionStart", () => {
  test("add their output for the model; a session starts once in a process", async () => {
    using folder = bench({
      SessionStart: [{ matcher: "startup|resume", ...command("cat >> start.json; echo; echo 'branch: main'") }],
      UserPromptSubmit: [command("cat > prompt.json; echo 'it is Monday'")],
    });
    const model = teamModel({ lead: ["one"] });
    const opened = await folder.open(model);
    await run(opened, "First");
    await said(opened, "Second");
    const user = model.requests[1]?.messages.flatMap(({ role, content }) =>
      role === "user" ? [contentText(content)] : [],
    );
    expect(user).toEqual(["First", "branch: main\n\nit is Monday", "Second", "it is Monday"]);
    expect(json(folder.file("prompt.json"))).toMatchObject({ hook_event_name: "UserPromptSubmit", prompt: "Second" });
    await said(await folder.open(model), "Third");
    const starts = folder.file("start.json").match(/"source":"\w+"/g);
    expect(starts).toEqual(['"source":"startup"', '"source":"resume"']);
  });

  test("a denied prompt reaches no model, now or later, and the user sees the reason", async () => {
    using folder = bench({
      UserPromptSubmit: [command(`grep -q secret && { echo 'no secrets' >&2; exit 2; }; true`)],
    });
    const model = teamModel({ lead: ["fine"] });
    const opened = await folder.open(model);
    const events = await run(opened, "my secret is 42");
    expect(outcomeOf(events)).toMatchObject({ outcome: "error", denied: "no secrets", messages: [] });
    expect(model.requests).toHaveLength(0);
    const sent = () => JSON.stringify(model.requests.map(({ messages }) => messages));
    await said(opened, "hello");
    expect(sent()).not.toContain("42");
    const later = await folder.open(model);
    await said(later, "again");
    expect(sent()).not.toContain("42");
    expect(model.requests.at(-1)?.messages).toHaveLength(3);
  });
});

test("Stop with exit code 2 lets the model continue, and knows that it did so before", async () => {
  using folder = bench({
    Stop: [
      command(
        `cat > in.json; grep -q '"stop_hook_active":false' in.json && { echo 'run the tests' >&2; exit 2; }; true`,
      ),
    ],
  });
  const model = teamModel({ lead: ["finished?", "finished."] });
  const { answer, messages, events } = await said(await folder.open(model));
  expect(answer).toBe("finished.");
  expect(messages.map(({ content }) => contentText(content))).toEqual([
    ...["Go", "finished?", "[hook before the end] run the tests", "finished."],
  ]);
  expect(json(folder.file("in.json"))).toMatchObject({ stop_hook_active: true, last_assistant_message: "finished." });
  expect(outcomeOf(events)).toMatchObject({ outcome: "done" });
});

test("a Stop that always denies ends at the limit of turns with the answer that is there", async () => {
  using folder = bench({ Stop: [command("exit 2")] }, { settings: "sandbox: off\nlimits: {turns: 3}" });
  const model = teamModel({ lead: ["no"] });
  const { events } = await said(await folder.open(model));
  expect(model.requests).toHaveLength(3);
  expect(outcomeOf(events)).toMatchObject({ outcome: "done" });
});

test("when a question opens, Notification is told and PermissionRequest may deny", async () => {
  using folder = bench(
    {
      Notification: [{ matcher: "permission_prompt", ...command("cat > note.json") }],
      PermissionRequest: [{ matcher: "Bash", ...command("cat > asked.json; echo 'nobody is here' >&2; exit 2") }],
    },
    { settings: "sandbox: off\npermissions: {bash: ask}" },
  );
  const model = teamModel({ lead: [{ bash: { command: "touch effect" } }, "done"] });
  const opened = await folder.open(model, { onApproval: () => new Promise(() => {}) });
  const { texts } = await said(opened);
  expect(texts[0]).toContain("nobody is here");
  expect(existsSync(join(folder.path, "effect"))).toBe(false);
  expect(json(folder.file("note.json"))).toMatchObject({
    ...{ notification_type: "permission_prompt", message: "The agent needs your permission to use Bash" },
  });
  expect(json(folder.file("asked.json"))).toMatchObject({ tool_name: "Bash", tool_input: { command: "touch effect" } });
});

test("SessionEnd runs when the session is closed", async () => {
  using folder = bench({ SessionEnd: [command("cat > end.json")] });
  await said(await folder.open(teamModel({ lead: ["hi"] })));
  expect(json(folder.file("end.json"))).toMatchObject({ hook_event_name: "SessionEnd", reason: "other" });
});

test("hooks hold for the agents that work for the agent, too, which have SubagentStop", async () => {
  using folder = bench(
    {
      PreToolUse: [{ matcher: "LS", ...command("cat >> calls.json; echo no >&2; exit 2") }],
      UserPromptSubmit: [command("cat >> prompts.json")],
      SubagentStop: [
        command(
          `cat > stop.json; grep -q '"stop_hook_active":false' stop.json && { echo 'say more' >&2; exit 2; }; true`,
        ),
      ],
    },
    {
      more: '<Agent name="helper" src="../helper" description="Helps" />',
      files: { "helper/agent.mdx": "# Agent: helper\n\n## Purpose\n\nBe helper.\n" },
    },
  );
  const model = teamModel({
    lead: [{ helper: "Help" }, "done"] satisfies readonly Said[],
    helper: [{ list_files: {} }, "short", "longer"],
  });
  const { texts } = await said(await folder.open(model));
  expect(folder.warnings).toEqual([]);
  expect(texts).toEqual(["longer"]);
  expect(JSON.stringify(model.requests)).toContain("not run: no");
  expect(json(folder.file("calls.json"))).toMatchObject({ agent_type: "helper", tool_name: "LS" });
  expect(folder.file("prompts.json").match(/"prompt":"\w+"/g)).toEqual(['"prompt":"Go"']);
  expect(json(folder.file("stop.json"))).toMatchObject({ hook_event_name: "SubagentStop", agent_type: "helper" });
});

test("the hooks of a Markdown file in agents/ are those of that agent alone, after those of its caller", async () => {
  const hooks = JSON.stringify({
    PreToolUse: [{ matcher: "LS", ...command("cat > own.json; echo not here >&2; exit 2") }],
    Stop: [
      command(
        `cat > stop.json; grep -q '"stop_hook_active":false' stop.json && { echo 'say more' >&2; exit 2; }; true`,
      ),
    ],
    Elsewhere: [command("true")],
  });
  using folder = bench(
    { PreToolUse: [{ matcher: "LS", ...command("cat >> callers.json") }] },
    { files: { "lead/agents/helper.md": `---\ndescription: Helps\nhooks: ${hooks}\n---\nYou are helper.\n` } },
  );
  const model = teamModel({
    lead: [{ helper: "Help", ...LOOK }, "done"] satisfies readonly Said[],
    helper: [LOOK, "short", "longer"],
  });
  const { texts } = await said(await folder.open(model));
  expect(texts).toEqual(["longer", expect.stringContaining("agent.mdx")]);
  expect(JSON.stringify(model.requests)).toContain("not run: not here");
  expect(json(folder.file("own.json"))).toMatchObject({ hook_event_name: "PreToolUse", tool_name: "LS" });
  expect(json(folder.file("stop.json"))).toMatchObject({ hook_event_name: "Stop", stop_hook_active: true });
  expect(folder.file("callers.json").match(/"agent_type":"helper"/g)).toHaveLength(1);
});

test("an input of a megabyte reaches a hook whole", async () => {
  using folder = bench({ PreToolUse: [{ matcher: "Write", ...command("wc -c > size.txt") }] });
  const content = "x".repeat(1_000_000);
  await said(await folder.open(teamModel({ lead: [{ write_file: { path: "a.txt", content } }, "done"] })));
  expect(Number(folder.file("size.txt"))).toBeGreaterThan(1_000_000);
});

test("a prompt that is resumed runs no hook a second time", async () => {
  using folder = bench({
    UserPromptSubmit: [command("echo x >> prompts.txt")],
    PreToolUse: [command("echo x >> calls.txt")],
  });
  const reached = Promise.withResolvers<void>();
  const first = await folder.open(
    teamModel({
      lead: (request, signal) => {
        if (request.messages.length < 3) return LOOK;
        reached.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"), { once: true }));
      },
    }),
  );
  const running = run(first, "Go").catch(() => {});
  await reached.promise;
  await first.close();
  await running;
  const later = await folder.open(teamModel({ lead: ["never", "resumed"] }));
  await Array.fromAsync(later.agent.session().resume());
  expect(answerText(await later.agent.session().messages())).toBe("resumed");
  await later.close();
  expect([folder.file("prompts.txt"), folder.file("calls.txt")]).toEqual(["x\n", "x\n"]);
});
