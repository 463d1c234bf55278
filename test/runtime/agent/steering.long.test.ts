import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";
import { during, open, rolesOf, userTexts, waiting, work } from "../../support/steering-bench.ts";

test.skipIf(requireProgram("bwrap"))("what the model did not receive is given back as it was typed", async () => {
  using directory = agentDirectory({
    "agent.mdx": "---\nlimits: { turns: 1 }\n---\n# Agent: A\n\n## Purpose\n\nTest.\n",
    "skills/pour/SKILL.md": "---\nname: pour\ndescription: Pours\n---\nPours.\n",
  });
  using server = anthropicServer(waiting("a"));
  const agent = await open(directory.path, server);
  const say = during(directory.path, async () => {
    await agent.session().steer("too late");
    await agent.session().steer("/skill:pour tea");
  });
  const events = await work(agent.session().prompt("go"), say);
  expect(events.at(-1)).toMatchObject({
    type: "agent_end",
    outcome: "limit",
    pendingInput: ["too late", "/skill:pour tea"],
  });
  expect(await rolesOf(agent)).toBe("uat");
  expect(await agent.session().steer("nobody runs")).toBe(false);
  await agent.close();
});

test("another session's prompt is not steered", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(waiting("a"), textReply("Done."));
  const agent = await open(directory.path, server);
  const say = during(directory.path, async () => expect(await agent.session().steer("hello")).toBe(false));
  await work(agent.session("one").prompt("go"), say);
  expect(await agent.session("one").messages()).toHaveLength(4);
  await agent.close();
});

test("a prompt that was killed after a steering message receives it again at the same point", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(waiting("a"), waiting("b"), textReply("Done."));
  const agent = await open(directory.path, server);
  await work(
    agent.session().prompt("go"),
    during(directory.path, (id) => agent.session().steer(`said during ${id}`)),
  );
  const whole = await rolesOf(agent);
  expect(whole).toBe("uatuatua");
  await agent.close();
  const path = join(directory.path, "sessions/main/journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const first = lines.findIndex((line) => line.includes('"step":"steer:1"'));
  for (let count = first + 1; count < lines.length; count++) {
    const kept = lines.slice(0, count);
    writeFileSync(path, kept.map((line) => `${line}\n`).join(""));
    using later = anthropicServer(...Array.from({ length: 5 }, () => textReply("Done.")));
    const resumed = await open(directory.path, later);
    const events = await work(resumed.session().resume());
    const said = kept.filter((line) => line.includes('"step":"steer:')).length;
    expect(userTexts(events)).toStrictEqual(["go", "said during a", "said during b"].slice(0, 1 + said));
    expect(whole).toStartWith((await rolesOf(resumed)).slice(0, said === 1 ? 4 : 7));
    const transcript = JSON.stringify(await resumed.session().messages());
    await resumed.close();
    const again = await open(directory.path, later);
    expect(JSON.stringify(await again.session().messages())).toBe(transcript);
    await work(again.session().prompt("next"));
    expect(later.requests.flatMap(({ refusal }) => refusal ?? [])).toStrictEqual([]);
    await again.close();
  }
});
