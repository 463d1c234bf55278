import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../support/agent-files.ts";
import { answerEvents, textReply, toolReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import type { CliResult } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import type { TemporaryDirectory } from "../support/temporary-directory.ts";

/** What template languages, shells and MDX would act upon. */
const DOLLAR = "$";
const TEMPLATE = `{baseDir} ${DOLLAR}{process.env.HOME} ${DOLLAR}{1+1} {{7*7}} {7*7} <%= 7*7 %> #{7*7} $(id) \`id\` %s %n \\u0041 $& $1 <Tool name='x'/> <script>1</script> {{agent.name}}`;

const ECHO = toolText("echo", "return params.text ?? '';");
const SKILL = "---\nname: helper\ndescription: Helps.\n---\n\nLook into {baseDir}.\n";

function run(directory: TemporaryDirectory, server: AnthropicServer, ...args: readonly string[]): Promise<CliResult> {
  const options = { home: join(directory.path, "home"), cwd: directory.path, environment: server.environment };
  return runCommandLine(["agent", ".", "--trust", "--model", "claude-test", ...args], options);
}

const journalOf = ({ path }: TemporaryDirectory): readonly { readonly step: string; readonly result?: unknown }[] =>
  readFileSync(join(path, "sessions/main/journal.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("templates are inert, and arrive byte for byte", () => {
  test("as the user's words, as parameters of a tool, as its result and as the arguments of a skill", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + ECHO, "skills/helper/SKILL.md": SKILL });
    using server = anthropicServer(
      toolReply({ id: "a", name: "echo", input: { text: TEMPLATE } }),
      textReply(TEMPLATE),
      textReply("Done."),
    );
    const first = await run(directory, server, "--prompt", TEMPLATE);
    expect([first.exitCode, first.stdout]).toStrictEqual([0, `${TEMPLATE}\n`]);
    expect(server.requests[1]?.body).toMatchObject({
      messages: [
        { content: [{ type: "text", text: TEMPLATE }] },
        { content: [{ type: "tool_use", input: { text: TEMPLATE } }] },
        { content: [{ type: "tool_result", content: [{ text: TEMPLATE }] }] },
      ],
    });
    await run(directory, server, "--prompt", `/skill:helper ${TEMPLATE}`);
    const body = `Look into ${join(directory.path, "skills/helper")}.`;
    expect(server.requests[2]?.text).toContain(JSON.stringify(`${body}\n\n${TEMPLATE}`));
  });
});

/** As it comes out of JSON: all are names of its own. */
const HOSTILE: unknown = JSON.parse(
  '{"text":"t","__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"prototype":{"polluted":"yes"}}',
);
const LOOK = toolText(
  "look",
  "const own = JSON.stringify(params);\nreturn JSON.stringify({ own, polluted: ({} as any).polluted ?? 'no', isPlain: Object.getPrototypeOf(params) === Object.prototype });",
);
const GIVE = toolText(
  "give",
  `return { content: [{ type: "text", text: "given" }], details: JSON.parse(${JSON.stringify(JSON.stringify(HOSTILE))}) };`,
);

describe("__proto__, constructor and prototype are names like others", () => {
  test("in the arguments of a call: the tool gets them or the call is refused, and nothing is polluted", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + LOOK });
    using server = anthropicServer(toolReply({ id: "a", name: "look", input: HOSTILE }), textReply("Done."));
    const { exitCode, stdout } = await run(directory, server, "--json", "--prompt", "hi");
    expect(exitCode).toBe(0);
    const result = server.requests[1]?.text ?? "";
    expect(result).toContain('"__proto__":{"polluted":"yes"}');
    expect(result).toMatch(/invalid arguments|\\"polluted\\":\\"no\\",\\"isPlain\\":true/);
    expect(stdout).toContain(JSON.stringify(HOSTILE));
    expect(journalOf(directory).some(({ result }) => JSON.stringify(result).includes(JSON.stringify(HOSTILE)))).toBe(
      true,
    );
  });

  test("in the details of a result: the event and the journal hold them as the tool gave them", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + GIVE });
    using server = anthropicServer(toolReply({ id: "a", name: "give", input: {} }), textReply("Done."));
    const { exitCode, stdout } = await run(directory, server, "--json", "--prompt", "hi");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`"details":${JSON.stringify(HOSTILE)}`);
    const line = journalOf(directory).find(({ step, result }) => step === "tool:1:a" && result !== undefined);
    expect(JSON.stringify(line)).toContain(`"details":${JSON.stringify(HOSTILE)}`);
  });

  test("in a journal that is continued, and as the ids and names of calls", async () => {
    using directory = agentDirectory({ "agent.mdx": MINIMAL_AGENT + LOOK });
    using server = anthropicServer(
      {
        events: answerEvents([
          { id: "__proto__", name: "look", json: ["{}"] },
          { id: "constructor", name: "__proto__", json: ['{"__proto__":1}'] },
          { id: "toString", name: "constructor", json: ["{}"] },
        ]),
      },
      textReply("Done."),
      textReply("Again."),
    );
    expect((await run(directory, server, "--prompt", "hi")).stdout).toBe("Done.\n");
    const again = await run(directory, server, "--prompt", "again");
    expect([again.exitCode, again.stdout, server.requests.map(({ refusal }) => refusal)]).toStrictEqual([
      0,
      "Again.\n",
      [undefined, undefined, undefined],
    ]);
    expect(journalOf(directory).map(({ step }) => step)).toContain("tool:1:__proto__");
    for (const id of ["__proto__", "constructor", "toString"]) {
      expect(server.requests[2]?.text).toContain(`"tool_use_id":"${id}"`);
    }
  });
});
