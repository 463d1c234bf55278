import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { MINUTE } from "../../support/heartbeat-bench.ts";
import { AGENT, HEARTBEAT } from "../../support/heartbeat-texts.ts";
import { scriptReference } from "../../support/replies.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { openWaking, userTexts } from "../../support/waking-agent.ts";

test("complaint: idle wake-ups that burn money: a gate that says no asks no model, and keeps its state across restarts", async () => {
  const gated = `@every: 15m
@gate:
\`\`\`ts
async function gate(ctx) {
  const count = (ctx.state.count ?? 0) + 1;
  if (count < 3) return { wake: false, state: { count } };
  return { wake: true, message: \`\${count} looks at \${ctx.task}\`, state: { count: 0 } };
}
\`\`\`
`;
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": gated });
  const first = await openWaking(directory.path, []);
  for (const count of [1, 2]) {
    first.clock.pass(15 * MINUTE);
    await first.ended(count);
  }
  expect(first.lines("ended")).toMatchObject([
    { outcome: "gated", tokens: 0, state: { count: 1 } },
    { outcome: "gated", tokens: 0, state: { count: 2 } },
  ]);
  await first.agent.close();
  expect(existsSync(join(directory.path, "sessions/main/journal.jsonl"))).toBe(false);
  const second = await openWaking(directory.path, [{ text: "done" }], { start: "2026-11-21T09:00:00.000Z" });
  second.clock.pass(15 * MINUTE);
  await second.ended(3);
  expect((await userTexts(second.agent))[0]).toEndWith("3 looks at On Wake");
  expect(second.lines("ended").at(-1)).toMatchObject({ outcome: "done", state: { count: 0 } });
  await second.agent.close();
});

test("a gate may be an inline tool, and one that fails is an error that is shown", async () => {
  const agentText = `${AGENT}
<Tool name="has_mail" description="Says whether mail is there">

\`\`\`ts
export async function execute() {
  return false;
}
\`\`\`

</Tool>
`;
  const beat = `@every: 15m
@gate: has_mail

## Routine Tasks

- Every 15 minutes: Broken
  @gate:
  \`\`\`ts
  async function gate() {
    throw new Error("no network");
  }
  \`\`\`
`;
  using directory = agentDirectory({ "agent.mdx": agentText, "heartbeat.md": beat });
  const { agent, clock, lines, ended, warnings } = await openWaking(directory.path, []);
  clock.pass(15 * MINUTE);
  await ended(2);
  const byTask = Object.fromEntries(lines("ended").map(({ task, ...line }) => [String(task), line]));
  expect(byTask).toMatchObject({ "On Wake": { outcome: "gated" }, Broken: { outcome: "error", tokens: 0 } });
  expect(String(byTask["Broken"]?.["reason"])).toContain("no network");
  // The line of the code in heartbeat.md.
  expect(String(byTask["Broken"]?.["reason"])).toContain("heartbeat.md:10");
  expect(warnings.some((line) => line.startsWith("heartbeat: Broken failed (error): @gate: "))).toBe(true);
  await agent.close();
});

test("a check sends a result back with its reason at most twice, and then reports it", async () => {
  const checked = `@every: 15m
@session: isolated
@done:
\`\`\`ts
async function done(ctx) {
  return ctx.text.includes("total") ? true : "the total is missing";
}
\`\`\`
`;
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": checked });
  const replies = ["a", "b with total", "c", "d", "e"].map((text) => ({ text }));
  const { agent, clock, lines, ended } = await openWaking(directory.path, replies);
  clock.pass(15 * MINUTE);
  await ended(1);
  clock.pass(15 * MINUTE);
  await ended(2);
  expect(lines("ended")).toMatchObject([{ outcome: "done" }, { outcome: "unmet", reason: "the total is missing" }]);
  const [first, second] = lines("began").map(({ session }) => String(session));
  expect(first).not.toBe(second);
  const texts = await userTexts(agent, second);
  expect(texts).toHaveLength(3);
  expect(texts[1]).toContain("the total is missing");
  await agent.close();
});

test("a limit of a run ends it, and a model of its own answers it", async () => {
  using directory = agentDirectory({
    "agent.mdx": AGENT,
    "heartbeat.md": "@every: 15m\n@limit: tokens=100\n@model: other/small\n",
  });
  using scripts = temporaryDirectory();
  const calls = [{ id: "1", name: "read_file", arguments: { path: "agent.mdx" } }];
  const reply = { calls, usage: { input: 90, output: 20 } };
  const asked: string[] = [];
  const { agent, clock, lines, ended } = await openWaking(directory.path, [{ text: "of the usual model" }], {
    openModel: async (reference) => {
      asked.push(reference);
      return openModel(scriptReference(scripts.path, [reply, { text: "too late" }]), { environment: {} });
    },
  });
  clock.pass(15 * MINUTE);
  await ended(1);
  expect(asked).toEqual(["other/small"]);
  expect(lines("ended")).toMatchObject([{ outcome: "limit", tokens: 110, reason: "the limit tokens=100 was reached" }]);
  await agent.close();
});

test("a question of a task in a session of its own waits for its deadline and blocks nothing else", async () => {
  const text = `## Routine Tasks

- Every 15 minutes: Asks
  @session: asking
  @model: asking
- Every 15 minutes: Works
  @session: working
`;
  using directory = agentDirectory({
    "agent.mdx": AGENT.replace("---\n#", "permissions:\n  write_file: ask\n---\n#"),
    "heartbeat.md": text,
  });
  using scripts = temporaryDirectory();
  const calls = [{ id: "1", name: "write_file", arguments: { path: "a.txt", content: "x" } }];
  const asking = scriptReference(scripts.path, [{ calls }, { text: "was refused" }]);
  const { agent, clock, lines, ended } = await openWaking(
    directory.path,
    [{ text: "works" }, { text: "to the user" }],
    {
      answersWithin: 3_600,
      openModel: () => openModel(asking, { environment: {} }),
    },
  );
  clock.pass(15 * MINUTE);
  await ended(1);
  const questions = () => agent.session("asking").openQuestions;
  await eventually(() => questions().length === 1);
  await Array.fromAsync(agent.session().prompt("the user is not blocked"));
  expect(lines("ended")).toMatchObject([{ task: "Works", outcome: "done" }]);
  clock.pass(61 * MINUTE);
  await eventually(() => lines("ended").some(({ task }) => task === "Asks"));
  expect(questions()).toEqual([]);
  await agent.close();
});

test("a prompt that the end of a process interrupted is resumed by the next process, not begun again", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": HEARTBEAT });
  const first = await openWaking(directory.path, [{ text: "never", delay: 60_000 }]);
  first.clock.pass(15 * MINUTE);
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  await eventually(() => existsSync(journal) && readFileSync(journal, "utf8").includes("begin"));
  await first.agent.close();
  expect(first.lines("ended")).toEqual([]);
  const second = await openWaking(directory.path, [{ text: "finished" }], { start: "2026-11-21T08:50:00.000Z" });
  await second.ended(1);
  expect(second.lines("began")).toHaveLength(1);
  expect(second.lines("ended")).toMatchObject([{ outcome: "done" }]);
  expect(await userTexts(second.agent)).toHaveLength(1);
  await second.agent.close();
});

test("news of a task go to a command on standard input, to an address and to a session", async () => {
  const received: unknown[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      received.push(await request.json());
      return new Response();
    },
  });
  const broken = `@every: 15m
@notify: command cat > news.json
@notify: ${server.url.href}
@notify: session news
@gate:
\`\`\`ts
async function gate() { return "perhaps"; }
\`\`\`
`;
  using directory = agentDirectory({ "agent.mdx": AGENT, "heartbeat.md": broken });
  const environment = { PATH: process.env["PATH"] };
  const { agent, clock, ended } = await openWaking(directory.path, [{ text: "I know now" }], { environment });
  clock.pass(15 * MINUTE);
  await ended(1);
  const file = join(directory.path, "news.json");
  await eventually(() => received.length > 0 && existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  const reason = "@gate: it returned perhaps, expected false or { wake, message, state }";
  expect(received).toEqual([{ event: "failure", task: "On Wake", reason }]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(received[0]);
  await eventually(() => existsSync(join(directory.path, "sessions/news/journal.jsonl")));
  await agent.close();
});
