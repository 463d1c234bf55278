import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../support/agent-directory.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { add, bash, journalKey, shipJournal } from "../support/shipped-journal.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const read = (path: string) => ({ calls: [{ id: "a", name: "read_file", arguments: { path } }] });

test.each(["started", "not started"])(
  "a call of a journal that reads a place of secrets, %s: it is not run",
  async (state) => {
    using directory = agentDirectory();
    using home = temporaryDirectory();
    writeFileSync(join(home.path, ".netrc"), "the secret");
    const journal = await shipJournal(directory.path, read(join(home.path, ".netrc")));
    if (state === "started") add(journal, { step: "tool:1:a", started: true });
    const agent = await openScriptAgent(directory.path, [{ text: "finished" }], { environment: { HOME: home.path } });
    await Array.fromAsync(agent.session().resume());
    const reported = JSON.stringify(await agent.session().messages());
    expect(reported).not.toContain("the secret");
    expect(reported).toContain("a secret path");
    await agent.close();
  },
);

test("an approval that the user gave survives the end of its process; one for this call alone is not asked for again", async () => {
  using directory = agentDirectory();
  let asked = 0;
  const options = {
    sandbox: { mode: "off" },
    journalKey,
    onApproval: async () => {
      asked += 1;
      return { answer: "once" } as const;
    },
  } as const;
  const first = await openScriptAgent(directory.path, [bash("echo x >> effects"), { text: "done" }], options);
  await Array.fromAsync(first.session().prompt("do it"));
  await first.close();
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  const decided = lines.findIndex((line) => line.includes('"step":"permission:tool:1:a"'));
  writeFileSync(
    journal,
    lines
      .slice(0, decided + 1)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const second = await openScriptAgent(directory.path, [{ text: "finished" }], options);
  await Array.fromAsync(second.session().resume());
  expect([asked, readFileSync(join(directory.path, "effects"), "utf8")]).toStrictEqual([1, "x\nx\n"]);
  await second.close();
});
