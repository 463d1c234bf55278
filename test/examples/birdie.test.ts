import { describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
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

test("birdie reads without an error, with the settings of that system", async () => {
  const { definition, diagnostics } = await readAgentDirectory(SOURCE);
  expect(diagnostics.filter(({ severity }) => severity !== "note")).toStrictEqual([]);
  expect(definition.settings).toMatchObject({
    ...{
      temperature: 0,
      retries: [5, 15, 45],
      context: { messages: 20 },
      statusbar: "birdie",
      tool_output: "full",
      builtins: [],
    },
    skills: { catalog: "tiers" },
  });
  const names = definition.skills.map(({ name }) => name);
  for (const name of ["Weather", "Filesystem", "Shell", "ssh"]) expect(names).toContain(name);
});

test("the prompt has the three tiers, and nothing of a skill that is off", async () => {
  using bird = await birdie([]);
  await bird.agent.memory.remember("prefers concise answers");
  const system = await bird.agent.systemPrompt();
  expect(system).toContain("You have access to the following skills:\n\n- **Filesystem**: Local file operations");
  expect(system).toContain("  triggers: ssh, remote server, remote connection, secure shell");
  expect(system).toEndWith("--- Long-term memory ---\n- prefers concise answers");
  expect(system).not.toMatch(/\*\*Shell\*\*|BatchMode/);
  await bird.agent.close();
});

describe.skipIf(requireProgram("bwrap"))("its skills", () => {
  test("bring the knowledge of ssh along with the message that speaks of it", async () => {
    using bird = await birdie([{ text: "Which user?" }]);
    await Array.fromAsync(bird.agent.session().prompt("Connect to the REMOTE SERVER build7"));
    const [, context] = await bird.agent.session().messages();
    expect(JSON.stringify(context)).toContain("--- ssh skill context ---\\n# SSH\\n");
    await bird.agent.close();
  });
});
