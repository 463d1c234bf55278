import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { COMMANDS } from "../../packages/cli/src/arguments/command-table.ts";
import { isSlashCommand, nameOf, runSlashCommand } from "../../packages/cli/src/terminal/slash-commands.ts";
import { agentDirectory } from "../support/agent-directory.ts";
import { codeSpans } from "../support/markdown-text.ts";
import { runCli } from "../support/run-cli.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const page = await Bun.file(join(import.meta.dir, "../../docs/sessions.md")).text();

describe("the page on sessions", () => {
  test("names all commands of the conversation, and no other", async () => {
    using directory = agentDirectory();
    const memory = await openScriptAgent(directory.path, [], { ephemeral: true });
    const done = async () => "";
    const context = {
      ...{ skills: [], memory, info: done, compact: done, resume: done, session: done, undo: done, rewind: done },
      ...{
        clear: async () => {},
        permissions: () => "",
        mode: () => "",
        theme: () => "",
        queue: () => "",
        rename: () => "",
        tool: () => "",
        leave: () => {},
      },
    };
    const help = await runSlashCommand("/help", context);
    await memory.close();
    const commands = codeSpans(page).flatMap((text) => (isSlashCommand(text) ? nameOf(text) : []));
    const all = [...help.matchAll(/^(\/[\w]+)|also (\/\w+)/gm)].map(([, name, other]) => name ?? other ?? "");
    expect(all.length).toBeGreaterThan(12);
    expect(all.filter((name) => !commands.some((shown) => shown.split(":")[0] === name))).toEqual([]);
    expect(commands.filter((name) => !new RegExp(`(^|also )${name}\\b`, "m").test(help))).toEqual([]);
  });

  test("names all that can be done with sessions on the command line, with flags that there are", async () => {
    const spec = COMMANDS.find(({ name }) => name === "sessions");
    const actions = [...(spec?.positionals ?? "").matchAll(/(\w+) \[?ID/g)].map(([, name]) => name);
    const named = [...page.matchAll(/^\| `mdx-ai sessions DIR (\w+) ID/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(actions.sort());
    const flags = codeSpans(page).filter((text) => text.startsWith("--"));
    const options = COMMANDS.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
    expect(flags.filter((flag) => !options.includes(flag.split(" ")[0] ?? ""))).toEqual([]);
  });

  test("is right on what is not there", async () => {
    using home = temporaryDirectory();
    await Bun.write(join(home.path, "agent.mdx"), "# Agent: A\n\n## Purpose\n\nBe.\n");
    for (const args of [
      ["sessions", ".", "show", "x"],
      ["trace", ".", "--session", "x"],
    ]) {
      expect(await runCli(args, { home: home.path })).toMatchObject({ exitCode: 1 });
    }
  });
});
