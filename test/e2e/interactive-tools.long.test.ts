import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type InteractiveOptions, openInteractive } from "../support/interactive-session.ts";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

const AGENT =
  "---\nbuiltins: [bash, read_file, write_file, edit_file, grep]\n---\n# Agent: Coder\n\n## Purpose\nHelps with code.\n";
const SIZES = [
  [80, 24],
  [120, 40],
] as const;

const open = (replies: readonly Reply[], options: InteractiveOptions = {}) =>
  openInteractive({ replies, ...options, files: { "agent.mdx": AGENT, ...options.files } });

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

const command = (id: string, text: string) => ({ id, name: "bash", arguments: { command: text } });
/** Waits until a file is in the agent directory. */
const untilThere = (name: string): string => `until [ -e ${name} ]; do sleep 0.05; done`;
const withoutTime = (screen: string): string => screen.replace(/ \(\d+ s\)$/gm, "");

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("tools in the terminal", () => {
  test.each(SIZES)("show a command with the end of its output while it runs, at %d×%d", async (columns, rows) => {
    const run = `seq 1 40; ${untilThere("go")}; echo end; exit 3`;
    await using session = await open([{ calls: [command("c1", run)] }, { text: "It failed." }], { columns, rows });
    const { terminal, directory } = session;
    await send(terminal, "run it");
    const live = await terminal.waitFor(/^ {2}40$[\s\S]* running bash/m);
    expect(withoutTime(live)).toContain(`● $ ${run}\n  36\n  37\n  38\n  39\n  40\n\n`);
    writeFileSync(join(directory, "go"), "");
    await terminal.waitFor("It failed.");
    const end = withoutTime(await terminal.history());
    const last = Array.from({ length: 9 }, (_, at) => `  ${at + 32}\n`).join("");
    expect(end).toContain(`● $ ${run}\n  … 31 earlier lines (Ctrl+O)\n${last}  end\n  exit code 3\n\nIt failed.`);
    // Nothing of the live part is left in the scrollback.
    expect(end.match(/^● \$ seq/gm)).toHaveLength(1);
  });

  test("show changes of files as diffs, reads and searches in a line each, at 80×24", async () => {
    const edit = { path: "a.ts", edits: [{ old: "two", new: "TWO\nmore" }] };
    await using session = await open(
      [
        {
          calls: [
            { id: "w1", name: "write_file", arguments: { path: "b.ts", content: "const 日本 = 1;\n" } },
            { id: "e1", name: "edit_file", arguments: edit },
          ],
        },
        {
          calls: [
            { id: "r1", name: "read_file", arguments: { path: "a.ts", offset: 2, limit: 1 } },
            { id: "g1", name: "grep", arguments: { pattern: "e", path: "a.ts" } },
            { id: "w2", name: "write_file", arguments: { path: "b.ts", content: "const 日本 = 2;\n" } },
          ],
        },
        { text: "All done." },
      ],
      { files: { "a.ts": "one\ntwo\nthree\n" }, args: ["--mode", "edits"] },
    );
    await send(session.terminal, "change it");
    await session.terminal.waitFor("All done.");
    const shown = await session.terminal.history();
    expect(shown).toContain("● write b.ts (new, +1)\n  + const 日本 = 1;\n\n● edit a.ts (+2 −1)\n");
    expect(shown).toContain("    one\n  - two\n  + TWO\n  + more\n    three\n");
    expect(shown).toMatch(/● read a\.ts:2-2 \(1 line\)\n\n/);
    expect(shown).toMatch(/● grep "e" in a\.ts \(3 matches\)\n/);
    expect(shown).toContain("● write b.ts (+1 −1)\n  @@ -1,1 +1,1 @@\n  - const 日本 = 1;\n  + const 日本 = 2;\n");
  });

  test("keep parallel calls in their order, at 80×24", async () => {
    const slow = `echo slow; ${untilThere("go")}`;
    await using session = await open([
      { calls: [command("c1", slow), command("c2", "echo quick")] },
      { text: "Both." },
    ]);
    const { terminal, directory } = session;
    await send(terminal, "both");
    const live = withoutTime(await terminal.waitFor(/slow$[\s\S]*^ {2}quick$/m));
    expect(live).toContain(`● $ ${slow}\n  slow\n● $ echo quick\n  quick\n\n`);
    writeFileSync(join(directory, "go"), "");
    await terminal.waitFor("Both.");
    const end = withoutTime(await terminal.history());
    expect(end).toContain(`● $ ${slow}\n  slow\n\n● $ echo quick\n  quick\n\nBoth.`);
    expect(end.match(/quick$/gm)).toHaveLength(2);
  });

  test("show all of a shortened result with Ctrl+O, the last first, and then that there is no more", async () => {
    const calls = [command("c1", "seq 101 115"), command("c2", "seq 201 215")];
    await using session = await open([{ calls }, { text: "Counted." }], { columns: 120, rows: 40 });
    const { terminal } = session;
    await send(terminal, "count");
    expect(await terminal.waitFor("Counted.")).not.toContain("  205");
    await terminal.press("C-o");
    expect(await terminal.waitForHistory(/^ {2}205$/m)).not.toContain("  105");
    await terminal.press("C-o");
    await terminal.waitForHistory(/^ {2}105$/m);
    await terminal.press("C-o");
    await terminal.waitFor("Nothing else was shortened");
  });

  test("follow /tool output, and /tool list shows where they come from", async () => {
    const call = (id: string) => ({ calls: [command(id, "seq 1 20")] });
    await using session = await open([call("c1"), { text: "One." }, call("c2"), { text: "Two." }], { rows: 60 });
    const { terminal } = session;
    await send(terminal, "/tool output off");
    await terminal.waitFor("Tool output is now off");
    await send(terminal, "go");
    expect(withoutTime(await terminal.waitFor("One."))).toContain("● bash (20 lines)\n\nOne.");
    await send(terminal, "/tool output full");
    await terminal.waitFor("Tool output is now full");
    await send(terminal, "go");
    expect(await terminal.waitFor("Two.")).toMatch(/ {2}19\n {2}20\n\nTwo\./);
    await send(terminal, "/tool list");
    await terminal.waitFor(/^bash {8}builtin\nread_file {3}builtin$/m);
  });

  test.each(SIZES)("leave code in answers without a frame, in colours, at %d×%d", async (columns, rows) => {
    const code = 'export const a = "b";\n\n  return a;';
    const deltas = ["Look:\n\n```ts\n", ...code.split(/(?<= )/), "\n```\n\nThat is all."];
    await using session = await open([{ deltas }], { columns, rows });
    const { terminal } = session;
    await send(terminal, "code");
    expect(await terminal.waitFor("That is all.")).toContain(`Look:\n\n${code}\n\nThat is all.`);
    expect(await terminal.colours()).toContain("\u001b[35mexport\u001b[39m \u001b[35mconst");
  });

  test("stay within a terminal that becomes narrow while they run", async () => {
    const run = `printf '%.0s日本語' $(seq 60); echo; ${untilThere("go")}`;
    await using session = await open([{ calls: [command("c1", run)] }, { text: "Done." }], { columns: 120, rows: 40 });
    const { terminal, directory } = session;
    await send(terminal, "run");
    await terminal.waitFor(/日本語$[\s\S]*running bash/m);
    await terminal.resize(30, 20);
    await terminal.waitFor(/日本語$[\s\S]*running bash/m);
    writeFileSync(join(directory, "go"), "");
    const screen = await terminal.waitFor(/^Done\.$/m);
    expect(Math.max(...screen.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(30);
  });
});
