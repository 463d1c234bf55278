import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { changeLine, difference, type Entry, lockEntries, longValues } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { importingAgent } from "../../support/importing-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

interface Agent {
  readonly frontmatter?: string;
  readonly tool?: string;
  readonly parameters?: string;
  readonly code?: string;
  readonly purpose?: string;
  /** Files beside agent.mdx. */
  readonly files?: Readonly<Record<string, string>>;
}

const PARAMETER = '<Param name="city" description="Where" enum="Wien,Graz" />';

const text = ({
  frontmatter = "",
  tool = "",
  parameters = PARAMETER,
  code = "return 1;",
  purpose = "Be.",
}: Agent): string =>
  `---\n${frontmatter}\n---\n\n# Agent: A\n\n## Purpose\n\n${purpose}\n\n` +
  `<Tool name="look" description="Look" ${tool}>\n${parameters}\n\n\`\`\`ts\nfunction execute() { ${code} }\n\`\`\`\n\n</Tool>\n`;

async function lockOf(agent: Agent): Promise<readonly Entry[]> {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent.mdx": text(agent), ...agent.files });
  return await lockEntries(await readAgentDirectory(folder.path));
}

interface Case {
  readonly title: string;
  readonly before?: Agent;
  readonly after: Agent;
  /** Each with its grade before it; without those of the schema as it is written. */
  readonly told: readonly string[];
}

const skill = (entrypoint: string): string =>
  `---\nname: s\ndescription: S.\n---\n## Tools\n### run\ndescription: d\nentrypoint: ${entrypoint}\nschema: {type: object}\n`;

const LOOK = 'tool "look"';

const cases: readonly Case[] = [
  { title: "the same", after: {}, told: [] },
  { title: "prose", after: { purpose: "Be kind." }, told: ["noted ~ prose"] },
  {
    title: "the entrypoint of a skill's tool",
    before: { files: { "skills/s/SKILL.md": skill("bash:ls") } },
    after: { files: { "skills/s/SKILL.md": skill("bash:rm") } },
    told: ['changed ~ skill tool "s/run": entrypoint (bash:ls → bash:rm)', "noted ~ skill s"],
  },
  { title: "code", after: { code: "return 2;" }, told: [`changed ~ ${LOOK}: code`] },
  {
    title: "another host",
    before: { tool: 'network="a.com"' },
    after: { tool: 'network="a.com,evil.com"' },
    told: [`widened + ${LOOK}: host evil.com`],
  },
  {
    title: "one host less",
    before: { tool: 'network="a.com,b.com"' },
    after: { tool: 'network="a.com"' },
    told: [`narrowed - ${LOOK}: host b.com`],
  },
  {
    title: "hosts where every one was allowed",
    after: { tool: 'network="a.com"' },
    told: [`narrowed - ${LOOK}: any public host`, `narrowed + ${LOOK}: host a.com`],
  },
  {
    title: "a host of this machine where every public one was allowed",
    after: { tool: 'network="localhost:8080"' },
    told: [`widened + ${LOOK}: host localhost:8080`, `narrowed - ${LOOK}: any public host`],
  },
  {
    title: "hosts no longer",
    before: { tool: 'network="a.com"' },
    after: {},
    told: [`narrowed - ${LOOK}: host a.com`, `widened + ${LOOK}: any public host`],
  },
  { title: "a variable", after: { tool: 'env="KEY"' }, told: [`widened + ${LOOK}: variable KEY`] },
  {
    title: "files",
    before: { tool: 'files="read:a/**"' },
    after: { tool: 'files="read:b/**,write:a/**"' },
    told: [
      `narrowed - ${LOOK}: files a/**, to read`,
      `widened + ${LOOK}: files b/**, to read`,
      `widened + ${LOOK}: files a/**, to write`,
    ],
  },
  { title: "a permission", after: { tool: 'permission="ask"' }, told: [`narrowed + ${LOOK}: permission (ask)`] },
  {
    title: "a permission that is given up",
    before: { tool: 'permission="deny"' },
    after: { tool: 'permission="ask"' },
    told: [`widened ~ ${LOOK}: permission (deny → ask)`],
  },
  { title: "a time limit", after: { tool: 'timeout="9"' }, told: [`noted + ${LOOK}: timeout (9)`] },
  { title: "idempotent", after: { tool: 'idempotent="true"' }, told: [`widened + ${LOOK}: may be repeated`] },
  {
    title: "a description",
    after: { parameters: '<Param name="city" description="In what city" enum="Wien,Graz" />' },
    told: [],
  },
  {
    title: "the values that a parameter may have",
    after: { parameters: '<Param name="city" description="Where" enum="Wien" />' },
    told: [`changed ~ ${LOOK}: parameters`],
  },
  {
    title: "permissions",
    before: { frontmatter: "permissions:\n  bash: ask\n  write_file: allow" },
    after: { frontmatter: "permissions:\n  bash: allow\n  read_file: deny" },
    told: [
      "narrowed + permission read_file (deny)",
      "narrowed - permission write_file (allow)",
      "widened ~ permission bash (ask → allow)",
      'noted ~ order of the permissions (["bash","write_file"] → ["bash","read_file"])',
    ],
  },
  {
    title: "an asking where all was denied",
    before: { frontmatter: "permissions:\n  bash: deny" },
    after: { frontmatter: 'permissions:\n  bash: deny\n  "bash(git *)": ask' },
    told: ["changed + permission bash(git *) (ask)", 'noted + order of the permissions (["bash","bash(git *)"])'],
  },
  {
    title: "an asking where the tool itself denies",
    before: { tool: 'permission="deny"' },
    after: { tool: 'permission="deny"', frontmatter: "permissions:\n  look: ask" },
    told: ["changed + permission look (ask)"],
  },
  {
    title: "the order of permissions",
    before: { frontmatter: "permissions:\n  bash: deny\n  read_file: ask" },
    after: { frontmatter: "permissions:\n  read_file: ask\n  bash: deny" },
    told: ['changed ~ order of the permissions (["bash","read_file"] → ["read_file","bash"])'],
  },
  { title: "no sandbox", after: { frontmatter: "sandbox: off" }, told: ["widened + sandbox: mode (off)"] },
  {
    title: "the network of the sandbox",
    before: { frontmatter: "sandbox: {network: [a.com]}" },
    after: { frontmatter: "sandbox: {network: all}" },
    told: ["widened + sandbox: any host", "narrowed - sandbox: host a.com"],
  },
  {
    title: "restricted tools",
    before: { frontmatter: "tools: [look]\nbuiltins: off" },
    after: { frontmatter: "tools: [look, bash]" },
    told: ['changed ~ setting tools (["look"] → ["look","bash"])', "widened - setting builtins ([])"],
  },
  {
    title: "a model",
    after: { frontmatter: "model: anthropic/claude-opus-5" },
    told: ["widened + model (anthropic/claude-opus-5)"],
  },
  {
    title: "another model",
    before: { frontmatter: "model: [a/b, c/d]\nmemory: {model: a/b}" },
    after: { frontmatter: "model: a/b\nmemory: {model: e/f}" },
    told: ["changed ~ model (a/b, c/d → a/b)", "changed ~ model of the memory (a/b → e/f)"],
  },
  {
    title: "limits",
    before: { frontmatter: "limits: {usd: 1, seconds: 9, day: {usd: 5}, repeats: 3}" },
    after: { frontmatter: "limits: {usd: 2, seconds: 8, tokens: 100, turns: 20, sessions: 9, day: {on: ask}}" },
    told: [
      "widened ~ limit usd (1 → 2)",
      "narrowed ~ limit seconds (9 → 8)",
      "widened - limit day usd (5)",
      "widened - limit repeats (3)",
      "narrowed + limit tokens (100)",
      "narrowed + limit turns (20)",
      "widened + limit sessions (9)",
    ],
  },
  {
    title: "a module",
    after: { files: { "modules/a.ts": "export default {};" } },
    told: ["widened + module file modules/a.ts"],
  },
  {
    title: "a skill",
    after: { files: { "skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\nA.\n" } },
    told: ["noted + skill a"],
  },
  {
    title: "a heartbeat",
    after: { files: { "heartbeat.md": "@every: 15m\n" } },
    told: ["widened + heartbeat", "widened + heartbeat: times (every 900 seconds)"],
  },
  {
    title: "a tool",
    after: {
      parameters: `${PARAMETER}\n\n\`\`\`ts\nfunction execute() {}\n\`\`\`\n\n</Tool>\n\n<Tool name="more" description="More" network="a.com">`,
    },
    told: [
      `changed ~ ${LOOK}: code`,
      'widened + tool "more": code',
      'widened + tool "more": files of any name',
      'widened + tool "more": host a.com',
      'widened + tool "more": parameters',
      'noted + tool "more": description (More)',
    ],
  },
];

describe("two states of an agent differ in", () => {
  test.each(cases)("$title", async ({ before = {}, after, told }) => {
    const changes = difference(await lockOf(before), await lockOf(after)).filter(
      ({ name }) => !name.endsWith(": schema"),
    );
    const lines = changes.map((change) => `${change.grade} ${changeLine(change)}`);
    expect(lines.toSorted()).toStrictEqual(told.toSorted());
  });
});

test("both texts of a schema are given, whose descriptions grant nothing", async () => {
  const parameters = '<Param name="city" description="In what city" enum="Wien,Graz" />';
  const changes = difference(await lockOf({}), await lockOf({ parameters }));
  expect(changes.map(({ grade, name }) => [grade, name])).toStrictEqual([["noted", `${LOOK}: schema`]]);
  const [from = "", to = ""] = changes.flatMap((change) => longValues(change) ?? []);
  expect([from, to].map((text) => /"description": "(?:Where|In.*)"/.exec(text)?.[0])).toStrictEqual([
    '"description": "Where"',
    '"description": "In what city"',
  ]);
});

describe("the text of a lock file", () => {
  test("is the same wherever the directory lies", async () => {
    using one = temporaryDirectory();
    using other = temporaryDirectory();
    const [first, second] = [importingAgent(one.path), importingAgent(join(other.path, "elsewhere"))];
    const lock = await lockEntries(await readAgentDirectory(first));
    expect(await lockEntries(await readAgentDirectory(second))).toStrictEqual(lock);
    expect(JSON.stringify(lock)).not.toContain(one.path);
  });
});
