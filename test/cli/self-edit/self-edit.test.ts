import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, openDirectory } from "@mdx-ai/directory";
import { selfEditor } from "@mdx-ai/directory/self-edit";
import type { McpAnswer, McpQuestion } from "@mdx-ai/runtime";
import { versionedAgent } from "../../support/added-agents.ts";
import { writeFiles, writeText } from "../../support/agent-files.ts";
import { surroundingsIn } from "../../support/front-end.ts";
import { scriptReference } from "../../support/replies.ts";
import { cliCommand } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const EXAMPLE = '\n<Example>\n\n```json\n{"arguments": {"city": "Wien"}, "result": "one: sunny in Wien"}\n```\n\n</Example>\n\n</Tool>'; // biome-ignore format: short

const agentText = (mode: string, prose = "Tell the weather."): string =>
  versionedAgent("one", { prose, settings: `self_edit: ${mode}`, attributes: 'network="none"' }).replace(
    "\n</Tool>",
    EXAMPLE,
  );

interface Change {
  readonly path: string;
  readonly content?: string;
  readonly old?: string;
  readonly new?: string;
}

/** An agent that calls `edit_self` once, and the questions that its user gets. */
async function selfEditing(mode: string, changes: readonly Change[], answer: McpAnswer = { action: "accept" }) {
  const folder = temporaryDirectory();
  const path = writeFiles(join(folder.path, "agent"), { "agent.mdx": agentText(mode) });
  const files = changes.map((change) => ({ ...change }));
  const calls = [{ id: "1", name: "edit_self", arguments: { summary: "Say more", files } }];
  const model = scriptReference(folder.path, [{ calls }, { text: "done" }]);
  const questions: McpQuestion[] = [];
  const open = (): Promise<OpenDirectory> =>
    openDirectory(path, {
      frontEnd: {
        ...surroundingsIn(folder.path),
        toolHostCommand: cliCommand(["__tool-host"]),
        openSelfEditor: async (options) => selfEditor(options),
      },
      run: { flags: { model } },
      askTrust: async () => "always",
      onServerQuestion: async (_server, question) => {
        questions.push(question);
        return answer;
      },
    });
  const run = async (): Promise<string> => {
    const opened = await open();
    try {
      for await (const event of opened.agent.session("main").prompt("Change")) void event;
      const messages = await opened.agent.session("main").messages();
      return JSON.stringify(messages.find(({ role }) => role === "toolResult"));
    } finally {
      await opened.close();
    }
  };
  const text = (): string => readFileSync(join(path, "agent.mdx"), "utf8");
  return { path, open, run, text, questions, messages: () => questions.map(({ message }) => message), [Symbol.dispose]: () => folder[Symbol.dispose]() }; // biome-ignore format: short
}

const PROSE: Change = { path: "agent.mdx", old: "Tell the weather.", new: "Tell the weather and the tides." };
const HOST: Change = { path: "agent.mdx", old: 'network="none"', new: 'network="evil.example"' };

describe("an agent that changes its own files", () => {
  test("with `on` changes its prose without a question", async () => {
    using user = await selfEditing("on", [PROSE]);
    expect(await user.run()).toContain("changed agent.mdx; it counts from the next prompt on");
    expect([user.text(), user.questions]).toStrictEqual([agentText("on", "Tell the weather and the tides."), []]);
  });

  test.each(["yes", "no"])("with `ask` asks about each change and shows its text: %s", async (word) => {
    using user = await selfEditing("ask", [PROSE], { action: word === "yes" ? "accept" : "decline" });
    const result = await user.run();
    expect(user.messages()).toStrictEqual([expect.stringMatching(/Say more\nno change of what it may do\nagent\.mdx\n[\s\S]*\+ Tell the weather and the tides\./)]); // biome-ignore format: short
    expect(result).toContain(word === "yes" ? "changed agent.mdx" : "the user did not agree to it");
    expect(user.text()).toBe(agentText("ask", word === "yes" ? "Tell the weather and the tides." : undefined));
  });

  test("asks about more power, whatever the setting is, and shows it first", async () => {
    using user = await selfEditing("on", [HOST], { action: "decline" });
    expect(await user.run()).toContain('"isError":true');
    expect(user.messages()).toStrictEqual([expect.stringContaining("Say more\n+ host evil.example\n")]);
    expect(user.text()).toBe(agentText("on"));
  });

  test("is refused by a rule", async () => {
    using user = await selfEditing("on\npermissions: {edit_self: deny}", [PROSE]);
    expect(await user.run()).toContain('"isError":true');
    expect(user.text()).toContain("Tell the weather.\n");
  });

  test("stays trusted after a change that its user agreed to", async () => {
    using user = await selfEditing("on", [{ path: "agent.mdx", old: "sunny in ${city}`", new: "sunny in ${city}` " }]);
    expect(await user.run()).toContain("changed agent.mdx");
    expect(user.messages()).toStrictEqual([expect.stringContaining("~ tool weather")]);
    await (await user.open()).close();
  });

  test.each<[string, readonly Change[], string]>([
    ["does not pass the check", [{ path: "agent.mdx", old: 'name="weather"', new: 'name=""' }], "agent.mdx:10:7 `<Tool>` has no name"],
    ["fails an example", [{ path: "agent.mdx", old: "`one: sunny", new: "`two: sunny" }], "its tests failed"],
    ["replaces what is not there", [{ path: "agent.mdx", old: "nowhere", new: "" }], "contains the text to replace 0 times, not once"],
    ["is of its sessions", [{ path: "sessions/main/journal.jsonl", content: "" }], "is no file of the agent's own"],
    ["is outside of it", [{ path: "../other.txt", content: "" }], "is no file of the agent's own"],
    ["is of its repository", [{ path: ".git/config", content: "" }], "is no file of the agent's own"],
  ])("gets the reasons as an error if the change %s", async (_what, changes, reason) => {
    using user = await selfEditing("on", changes);
    const result = await user.run();
    expect(result).toContain('"isError":true');
    expect(result).toContain(reason);
    expect(user.text()).toBe(agentText("on"));
  }); // biome-ignore format: a table

  test("makes one commit in a repository, which undo takes back in the files", async () => {
    using user = await selfEditing("on", [PROSE, { path: "skills/tea/SKILL.md", content: "---\nname: tea\ndescription: Tea\n---\n\nPour.\n" }]); // biome-ignore format: short
    writeText(join(user.path, ".gitignore"), "sessions/\nstate/\nlogs/\n");
    const git = (...args: readonly string[]) => Bun.$`git -C ${user.path} ${args}`.quiet().text();
    await git("init", "-q");
    await git("config", "user.name", "A");
    await git("config", "user.email", "a@example.com");
    writeText(join(user.path, ".git/hooks/pre-commit"), "#!/bin/sh\ntouch ran\n");
    await Bun.$`chmod +x ${join(user.path, ".git/hooks/pre-commit")}`.quiet();
    await git("add", ".");
    await git("commit", "-qm", "One", "--no-verify");
    expect(await user.run()).toMatch(
      /it is one commit, [0-9a-f]{7,}; undo takes back the files, and git revert [0-9a-f]{7,} the commit/,
    );
    expect(await git("log", "--format=%s")).toBe("Say more\nOne\n");
    expect(await git("status", "--short")).toBe("");
    const opened = await user.open();
    await opened.agent.session("main").undo();
    await opened.close();
    expect(user.text()).toBe(agentText("on"));
    expect(await git("status", "--short")).toBe(" M agent.mdx\n D skills/tea/SKILL.md\n");
  });
});
