import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { contentText } from "@mdx-ai/loop";
import { bench, command, json, LOOK, outcomeOf, said } from "../../support/hook-bench.ts";
import { run, teamModel } from "../../support/team.ts";

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

  test("that cannot start denies the call, and the user and the model see the reason", async () => {
    using folder = bench({ PreToolUse: [command(`: ${"x".repeat(140_000)}`)] });
    const { texts } = await said(await folder.open(model()));
    const reason = "the command is too long: write it to a file and run that";
    expect(texts).toEqual([expect.stringMatching(new RegExp(`^not run: the hook : x+.* could not start: ${reason}$`))]);
    expect(folder.warnings).toEqual([expect.stringContaining(`could not start: ${reason}`)]);
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
  test("a denied prompt reaches no model, now or later, and the user sees the reason", async () => {
    using folder = bench({
      UserPromptSubmit: [command(`grep -q secret && { echo 'no secrets' >&2; exit 2; }; true`)],
    });
    const model = teamModel({ lead: ["fine"] });
    const opened = await folder.open(model);
    const events = await run(opened, "my secret is swordfish");
    expect(outcomeOf(events)).toMatchObject({ outcome: "error", denied: "no secrets", messages: [] });
    expect(model.requests).toHaveLength(0);
    const sent = () => JSON.stringify(model.requests.map(({ messages }) => messages));
    await said(opened, "hello");
    expect(sent()).not.toContain("swordfish");
    const later = await folder.open(model);
    await said(later, "again");
    expect(sent()).not.toContain("swordfish");
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
