import { describe, expect, test } from "bun:test";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import type { Agent } from "@mdx-ai/runtime";
import type { Reply } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const SOURCE = join(import.meta.dir, "../../examples/birdie");

/** Birdie in a folder of its own, and a workspace beside it. */
async function birdie(replies: readonly Reply[]) {
  const folder = temporaryDirectory();
  cpSync(SOURCE, join(folder.path, "birdie"), { recursive: true });
  const workspace = join(folder.path, "work");
  cpSync(join(SOURCE, "skills/ssh"), workspace, { recursive: true });
  const agent = await openScriptAgent(join(folder.path, "birdie"), replies, { workspace, cwd: workspace });
  return { agent, workspace, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const call = (name: string, args: JsonObject = {}): Reply => ({
  calls: [{ id: crypto.randomUUID(), name, arguments: args }],
});

const results = async (agent: Agent): Promise<readonly string[]> =>
  (await agent.session().messages()).flatMap((message) =>
    message.role === "toolResult"
      ? [
          `${message.isError ? "failed: " : ""}${message.content.map((block) => ("text" in block ? block.text : "")).join("")}`,
        ]
      : [],
  );

const named = async (agent: Agent): Promise<readonly string[]> =>
  [...agent.session().toolOrigins()].flatMap(([name, origin]) => (origin.startsWith("skill:") ? [name] : []));

describe.skipIf(requireProgram("bwrap"))("its skills", () => {
  test("list, show, find and count files of the current folder, with any names", async () => {
    using bird = await birdie([
      call("list_files"),
      call("show_file", { path: "it's $(odd).txt" }),
      call("find_files", { pattern: "*.md" }),
      call("count_lines", { paths: ["it's $(odd).txt"] }),
      call("find_files", { pattern: "-delete" }),
      { text: "Done." },
    ]);
    writeFileSync(join(bird.workspace, "it's $(odd).txt"), "one\ntwo\n");
    await Array.fromAsync(bird.agent.session().prompt("Look around"));
    const [list, shown, found, counted, refused] = await results(bird.agent);
    expect(list).toContain("SKILL.md");
    expect(shown).toContain("one\ntwo");
    expect(found).toContain("./SKILL.md");
    expect(counted).toMatch(/2\s+2\s+8/);
    expect(refused).toStartWith("failed: ");
    await bird.agent.close();
  });

  test("run shell commands only when the session enables Shell, from the next prompt on", async () => {
    using bird = await birdie([
      call("run_bash", { command: "echo $((6 * 7))" }),
      { text: "No." },
      call("run_bash", { command: "echo $((6 * 7))" }),
      { text: "Yes." },
    ]);
    expect(await named(bird.agent)).not.toContain("run_bash");
    await Array.fromAsync(bird.agent.session().prompt("Compute"));
    await bird.agent.session().enableSkill("Shell");
    expect(await named(bird.agent)).toContain("run_bash");
    await Array.fromAsync(bird.agent.session().prompt("Compute"));
    const [first, second] = await results(bird.agent);
    expect(first).toContain("there is no tool run_bash");
    expect(second).toContain("42");
    await bird.agent.close();
  });
});
