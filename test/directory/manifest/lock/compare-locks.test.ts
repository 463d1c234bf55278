import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { compareLocks, type LockDocument, makeLock } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../../support/agent-files.ts";
import { importingAgent } from "../../../support/importing-agent.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";

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

async function lockOf(agent: Agent): Promise<LockDocument> {
  using folder = temporaryDirectory();
  writeFiles(folder.path, { "agent.mdx": text(agent), ...agent.files });
  return await makeLock(await readAgentDirectory(folder.path));
}

interface Case {
  readonly title: string;
  readonly before?: Agent;
  readonly after: Agent;
  /** Each as "grade subject: text". */
  readonly told: readonly string[];
}

const skill = (entrypoint: string): string =>
  `---\nname: s\ndescription: S.\n---\n## Tools\n### run\ndescription: d\nentrypoint: ${entrypoint}\nschema: {type: object}\n`;

const LOOK = 'tool "look"';

const cases: readonly Case[] = [
  { title: "the same", after: {}, told: [] },
  { title: "prose", after: { purpose: "Be kind." }, told: ["noted prose: changed"] },
  {
    title: "the entrypoint of a skill's tool",
    before: { files: { "skills/s/SKILL.md": skill("bash:ls") } },
    after: { files: { "skills/s/SKILL.md": skill("bash:rm") } },
    told: ['changed tool "run" of skill "s": entrypoint bash:ls → bash:rm', "noted skill s: changed"],
  },
  { title: "code", after: { code: "return 2;" }, told: [`changed ${LOOK}: code changed`] },
  {
    title: "another host",
    before: { tool: 'network="a.com"' },
    after: { tool: 'network="a.com,evil.com"' },
    told: [`widened ${LOOK}: host evil.com added`],
  },
  {
    title: "one host less",
    before: { tool: 'network="a.com,b.com"' },
    after: { tool: 'network="a.com"' },
    told: [`narrowed ${LOOK}: host b.com removed`],
  },
  {
    title: "hosts where every one was allowed",
    after: { tool: 'network="a.com"' },
    told: [`narrowed ${LOOK}: any public host removed`, `narrowed ${LOOK}: host a.com added`],
  },
  {
    title: "a host of this machine where every public one was allowed",
    after: { tool: 'network="localhost:8080"' },
    told: [`changed ${LOOK}: host localhost:8080 added`, `narrowed ${LOOK}: any public host removed`],
  },
  {
    title: "hosts no longer",
    before: { tool: 'network="a.com"' },
    after: {},
    told: [`narrowed ${LOOK}: host a.com removed`, `widened ${LOOK}: any public host added`],
  },
  { title: "a variable", after: { tool: 'env="KEY"' }, told: [`widened ${LOOK}: variable KEY added`] },
  {
    title: "files",
    before: { tool: 'files="read:a/**"' },
    after: { tool: 'files="read:b/**,write:a/**"' },
    told: [
      `narrowed ${LOOK}: files a/**, to read removed`,
      `widened ${LOOK}: files b/**, to read added`,
      `widened ${LOOK}: files a/**, to write added`,
    ],
  },
  { title: "a permission", after: { tool: 'permission="ask"' }, told: [`narrowed ${LOOK}: permission (none) → ask`] },
  {
    title: "a permission that is given up",
    before: { tool: 'permission="deny"' },
    after: { tool: 'permission="ask"' },
    told: [`widened ${LOOK}: permission deny → ask`],
  },
  { title: "a time limit", after: { tool: 'timeout="9"' }, told: [`noted ${LOOK}: timeout (none) → 9`] },
  { title: "idempotent", after: { tool: 'idempotent="true"' }, told: [`widened ${LOOK}: may be repeated added`] },
  {
    title: "a description",
    after: { parameters: '<Param name="city" description="In what city" enum="Wien,Graz" />' },
    told: [`noted ${LOOK}: parameter city: description changed`],
  },
  {
    title: "another value",
    after: { parameters: '<Param name="city" description="Where" enum="Wien,Graz,Linz" />' },
    told: [`widened ${LOOK}: parameter city: enum ["Wien","Graz"] → ["Wien","Graz","Linz"]`],
  },
  {
    title: "one value less",
    after: { parameters: '<Param name="city" description="Where" enum="Wien" />' },
    told: [`narrowed ${LOOK}: parameter city: enum ["Wien","Graz"] → ["Wien"]`],
  },
  {
    title: "a parameter that need not be given any more",
    after: { parameters: PARAMETER.replace("/>", 'required="false" />') },
    told: [`widened ${LOOK}: parameter city: now optional`],
  },
  {
    title: "another parameter in the place of one",
    after: { parameters: '<Param name="constructor" description="Where" />' },
    told: [`narrowed ${LOOK}: parameter city removed`, `widened ${LOOK}: parameter constructor added`],
  },
  {
    title: "a type",
    before: { parameters: '<Param name="n" description="N" type="integer" />' },
    after: { parameters: '<Param name="n" description="N" type="string" />' },
    told: [`changed ${LOOK}: parameter n: type "integer" → "string"`],
  },
  {
    title: "bounds",
    before: { parameters: '<Param name="n" description="N" type="integer" min="1" max="9" />' },
    after: { parameters: '<Param name="n" description="N" type="integer" min="0" max="5" />' },
    told: [`narrowed ${LOOK}: parameter n: maximum 9 → 5`, `widened ${LOOK}: parameter n: minimum 1 → 0`],
  },
  {
    title: "a member of an object",
    before: {
      parameters: '<Param name="to" type="object" description="T"><Param name="zip" description="Z" /></Param>',
    },
    after: {
      parameters:
        '<Param name="to" type="object" description="T"><Param name="zip" description="Z" type="number" /></Param>',
    },
    told: [`changed ${LOOK}: parameter to.zip: type "string" → "number"`],
  },
  {
    title: "permissions",
    before: { frontmatter: "permissions:\n  bash: ask\n  write_file: allow" },
    after: { frontmatter: "permissions:\n  bash: allow\n  read_file: deny" },
    told: [
      "narrowed permission read_file: (none) → deny",
      "narrowed permission write_file: allow → (none)",
      "widened permission bash: ask → allow",
    ],
  },
  {
    title: "an asking where all was denied",
    before: { frontmatter: "permissions:\n  bash: deny" },
    after: { frontmatter: 'permissions:\n  bash: deny\n  "bash(git *)": ask' },
    told: ["changed permission bash(git *): (none) → ask"],
  },
  {
    title: "an asking where the tool itself denies",
    before: { tool: 'permission="deny"' },
    after: { tool: 'permission="deny"', frontmatter: "permissions:\n  look: ask" },
    told: ["changed permission look: (none) → ask"],
  },
  {
    title: "the order of permissions",
    before: { frontmatter: "permissions:\n  bash: deny\n  read_file: ask" },
    after: { frontmatter: "permissions:\n  read_file: ask\n  bash: deny" },
    told: ["changed order of the permissions: bash, read_file → read_file, bash"],
  },
  { title: "no sandbox", after: { frontmatter: "sandbox: off" }, told: ["widened sandbox: mode auto → off"] },
  {
    title: "the network of the sandbox",
    before: { frontmatter: "sandbox: {network: [a.com]}" },
    after: { frontmatter: "sandbox: {network: all}" },
    told: ["widened sandbox: network a.com → all"],
  },
  {
    title: "restricted tools",
    before: { frontmatter: "tools: [look]\nbuiltins: off" },
    after: { frontmatter: "tools: [look, bash]" },
    told: ['changed setting tools: ["look"] → ["look","bash"]', "widened setting builtins: [] → (none)"],
  },
  {
    title: "a model",
    after: { frontmatter: "model: anthropic/claude-opus-5" },
    told: ['noted setting model: (none) → "anthropic/claude-opus-5"'],
  },
  {
    title: "a module",
    after: { files: { "modules/a.ts": "export default {};" } },
    told: ["widened module file modules/a.ts: added"],
  },
  {
    title: "a skill",
    after: { files: { "skills/a/SKILL.md": "---\nname: a\ndescription: A.\n---\nA.\n" } },
    told: ["noted skill a: added"],
  },
  {
    title: "a heartbeat",
    after: { files: { "heartbeat.md": "@every: 15m\n" } },
    told: ["widened heartbeat: added"],
  },
];

/** A tool whose block of JSON Schema does not say that nothing else may be given. */
const open = (properties: string, required: string): Agent => ({
  parameters: `\n\`\`\`json schema\n{"type": "object", "properties": {${properties}}, "required": [${required}]}\n\`\`\``,
});

const openCases: readonly Case[] = [
  {
    title: "a property that then may be anything",
    before: open('"city": {"enum": ["Wien"]}', ""),
    after: open("", ""),
    told: [`changed ${LOOK}: parameter city removed`],
  },
  {
    title: "a demand for what is not described",
    before: open("", '"consent"'),
    after: open("", ""),
    told: [`widened ${LOOK}: parameter consent: now optional`],
  },
];

describe("two states of an agent differ in", () => {
  test.each([...cases, ...openCases])("$title", async ({ before = {}, after, told }) => {
    const differences = compareLocks(await lockOf(before), await lockOf(after));
    const lines = differences.map(({ grade, subject, text }) => `${grade} ${subject}: ${text}`);
    expect(lines.toSorted()).toStrictEqual(told.toSorted());
  });
});

describe("a lock document", () => {
  test("is the same wherever the directory lies", async () => {
    using one = temporaryDirectory();
    using other = temporaryDirectory();
    const [first, second] = [importingAgent(one.path), importingAgent(join(other.path, "elsewhere"))];
    const lock = await makeLock(await readAgentDirectory(first));
    expect(await makeLock(await readAgentDirectory(second))).toStrictEqual(lock);
    expect(JSON.stringify(lock)).not.toContain(one.path);
  });
});
