import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { answerText, contentText } from "@mdx-ai/loop";
import { bench, command, json, LOOK, outcomeOf, said } from "../../support/hook-bench.ts";
import { run, type Said, teamModel } from "../../support/team.ts";

describe("PreToolUse", () => {
  const model = () => teamModel({ lead: [LOOK, "done"] });

  test.each([
    ['{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"by JSON"}}', "not run: by JSON"],
    ['{"decision":"block","reason":"the old form"}', "not run: the old form"],
    ['{"continue":false,"stopReason":"stop"}', "not run: stop"],
  ])("may deny by its output %s", async (output, text) => {
    using folder = bench({ PreToolUse: [command(`echo '${output}'`)] });
    expect((await said(await folder.open(model()))).texts).toEqual([text]);
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
});

test("a Stop that always denies ends at the limit of turns with the answer that is there", async () => {
  using folder = bench({ Stop: [command("exit 2")] }, { settings: "sandbox: off\nlimits: {turns: 3}" });
  const model = teamModel({ lead: ["no"] });
  const { events } = await said(await folder.open(model));
  expect(model.requests).toHaveLength(3);
  expect(outcomeOf(events)).toMatchObject({ outcome: "done" });
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
