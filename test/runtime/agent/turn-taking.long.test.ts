import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentClosedError } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { careless, outcomeOf } from "../../support/careless-module.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const bash = (id: string, command: string) => ({ id, name: "bash", arguments: { command } });

test("a close at any moment of a prompt that follows an interrupted one leaves a journal that is whole", async () => {
  using directory = agentDirectory();
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  const calls = [bash("a", "true"), bash("b", "true")];
  const before = await openScriptAgent(directory.path, [{ calls }, { text: "done" }]);
  await Array.fromAsync(before.session().prompt("go"));
  await before.close();
  const cut = readFileSync(journal, "utf8").split("\n").slice(0, 4).join("\n");
  for (let moment = 0; moment < 24; moment++) {
    writeFileSync(journal, `${cut}\n`);
    const agent = await openScriptAgent(directory.path, [{ text: "next" }]);
    const prompt = Array.fromAsync(agent.session().prompt("next")).then(outcomeOf, (error) => error);
    for (let turn = 0; turn < moment; turn++) await (turn % 4 === 3 ? Bun.sleep(0) : null);
    await agent.close();
    const end = await prompt;
    if (typeof end === "string") expect(["aborted", "done"]).toContain(end);
    else expect(end).toBeInstanceOf(AgentClosedError);
  }
});

test.each(["start", "stop", "tool"] as const)(
  "a prompt that a module asks for in %s and does not wait for costs the process nothing, whatever becomes of it",
  async (hook) => {
    using directory = agentDirectory({ "modules/careless.ts": careless(hook) });
    const replies = [{ calls: [{ id: "a", name: "later", arguments: {} }] }, { text: "ok" }, { text: "ok" }];
    const agent = await openScriptAgent(directory.path, replies);
    await Array.fromAsync(agent.session().prompt("from the user"));
    await agent.close();
    // An unhandled rejection would fail the test.
    await Bun.sleep(0);
  },
);

test.skipIf(requireProgram("bwrap"))(
  "of calls that share an id each is run once and keeps its own result, also when the session is read again",
  async () => {
    using directory = agentDirectory();
    const calls = [bash("same", "echo one"), bash("same", "echo two")];
    const first = await openScriptAgent(directory.path, [
      { calls },
      { calls: [bash("same", "echo three")] },
      { text: "ok" },
    ]);
    await Array.fromAsync(first.session().prompt("go"));
    const said = JSON.stringify(await first.session().messages());
    await first.close();
    expect(said.match(/"text":"(?:one|two|three)\\n"/g)).toEqual([
      '"text":"one\\n"',
      '"text":"two\\n"',
      '"text":"three\\n"',
    ]);
    const second = await openScriptAgent(directory.path, []);
    expect(JSON.stringify(await second.session().messages())).toBe(said);
    await second.close();
  },
);
