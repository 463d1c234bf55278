import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { otlpCollector } from "../../support/otlp-collector.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const SECRET = "plain-Password-0815";
const environment = { PATH: process.env["PATH"], A_PASSWORD: SECRET };

test("an agent's memory is on disk without secrets, including the caller's", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [], { environment, secrets: ["of-the-caller"] });
  await agent.memory.remember(`It is ${SECRET}, or of-the-caller.`);
  await agent.close();
  const text = readFileSync(join(directory.path, "state/memory.json"), "utf8");
  expect(text).toContain("It is [redacted A_PASSWORD], or [redacted api_key].");
});

test("an approval is on disk without secrets, and holds for its command", async () => {
  using directory = agentDirectory();
  using state = temporaryDirectory();
  const approvalsDirectory = join(state.path, "approvals");
  const asked: string[] = [];
  for (const id of ["a", "b"]) {
    const call = { id, name: "bash", arguments: { command: `true ${SECRET}` } };
    const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "Fine." }], {
      ...{ environment, approvalsDirectory, sandbox: { mode: "off" as const } },
      onApproval: async ({ toolCallId }) => {
        asked.push(toolCallId);
        return { answer: "always" };
      },
    });
    await Array.fromAsync(agent.session().prompt("Go."));
    await agent.close();
  }
  expect(asked).toStrictEqual(["a"]);
  const texts = readdirSync(approvalsDirectory).map((name) => readFileSync(join(approvalsDirectory, name), "utf8"));
  expect(texts.join("")).toContain('"bash(true [redacted A_PASSWORD])"');
  expect(texts.join("")).not.toContain(SECRET);
});

test("a line of the log for people shows no part of a secret whose end is cut off", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "Fine." }], { environment });
  const input = `${"x".repeat(190)} ${SECRET} and more`;
  for await (const event of agent.session().prompt(input)) expect(event).toBeDefined();
  await agent.close();
  const files = [...new Bun.Glob("*.log").scanSync(join(directory.path, "logs"))];
  const log = files.map((name) => readFileSync(join(directory.path, "logs", name), "utf8")).join("");
  expect(log).toContain("xxx [redacted");
  expect(log).not.toContain(SECRET.slice(0, 6));
});

test("what a tool logs is in the log for people without secrets", async () => {
  const says = toolText("say", 'await ctx.log("it is " + params.text); return "said";');
  using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + says });
  const call = { id: "a", name: "say", arguments: { text: SECRET } };
  const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "Fine." }], { environment });
  await Array.fromAsync(agent.session().prompt("Go."));
  await agent.close();
  const files = [...new Bun.Glob("*.log").scanSync(join(directory.path, "logs"))];
  const log = files.map((name) => readFileSync(join(directory.path, "logs", name), "utf8")).join("");
  expect(log).toContain("it is [redacted A_PASSWORD]");
  expect(log).not.toContain(SECRET);
});

test("of the attributes of a span, contents are redacted and the rest stays", async () => {
  using directory = agentDirectory();
  using collector = otlpCollector();
  const agent = await openScriptAgent(directory.path, [{ text: "Fine." }], {
    environment: {
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    },
  });
  await Array.fromAsync(agent.session(SECRET).prompt(SECRET));
  await agent.close();
  expect(collector.spans).toHaveLength(2);
  for (const { attributes } of collector.spans) {
    expect(attributes).toMatchObject({
      "gen_ai.conversation.id": SECRET,
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"[redacted A_PASSWORD]"}]}]',
    });
  }
});
