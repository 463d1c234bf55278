import { describe, expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { openInteractive } from "../support/interactive-session.ts";
import { processesOf } from "../support/remaining-processes.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";

const AGENT = "---\nbuiltins: coding\npermissions: {bash: allow}\n---\n# Agent: A\n\n## Purpose\n\nHelps.\n";
const replies: readonly Reply[] = [
  { calls: [{ id: "1", name: "bash", arguments: { command: "echo up; exec sleep 311", background: true } }] },
  { text: "Started." },
];

describe.skipIf(requireProgram("tmux"))("a background command", () => {
  test("is in the footer and in /jobs while it runs, and ends with the conversation, which says so later", async () => {
    await using run = await openInteractive({ settings: "statusbar: full\n", files: { "agent.mdx": AGENT }, replies });
    const { terminal, directory, home } = run;
    await terminal.type("/jobs");
    await terminal.press("Enter");
    await terminal.waitFor("No command runs in the background");
    await terminal.type("Go");
    await terminal.press("Enter");
    await terminal.waitFor(/│ 1 job │/);
    await terminal.waitFor("Started.");
    const running = (): boolean => processesOf(directory).some(({ command }) => command === "sleep 311");
    await eventually(running);
    await terminal.type("/jobs");
    await terminal.press("Enter");
    const [, id = ""] =
      /(\w{8}) {2}runs {3}echo up; exec sleep 311/.exec(await terminal.waitFor(/ {2}runs {3}echo up/)) ?? [];
    await terminal.type("/quit");
    await terminal.press("Enter");
    expect(await terminal.exitCode()).toBe(0);
    await eventually(() => !running());
    const later: readonly Reply[] = [
      { calls: [{ id: "2", name: "bash_output", arguments: { id } }] },
      { text: "Looked." },
    ];
    await using next = await openInteractive({ directory, home, replies: later, args: ["--session", "main"] });
    await next.terminal.type("And now?");
    await next.terminal.press("Enter");
    await next.terminal.waitFor("Looked.");
    expect(await next.terminal.history()).toContain("One of an earlier process ended with the process.");
    expect(await next.terminal.screen()).not.toContain("1 job");
  });
});
