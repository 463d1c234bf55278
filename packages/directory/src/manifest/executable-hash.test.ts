import { describe, expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { difference } from "@mdx-ai/directory/lock";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import { type ImportingParts, importingAgent, importingText } from "../../../../test/support/importing-agent.ts";
import { manifestOf } from "../../../../test/support/read-manifest.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { trustedAgent, withoutValues } from "../../../../test/support/trusted-agent.ts";
import { entryName } from "./manifest.ts";

interface Edit {
  readonly title: string;
  /** Files to write, relative to the folder that holds `agent/` and `shared/`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly edit?: (folder: string) => void;
  /** The changes, as the lines of them without values. */
  readonly changes: readonly string[];
}

const agent = (parts: ImportingParts): Readonly<Record<string, string>> => ({
  "agent/agent.mdx": importingText(parts),
});

const tool = (aspect: string): string => `tool "fetch_it": ${aspect}`;

const relink = (folder: string): void => {
  rmSync(join(folder, "agent/linked.ts"));
  symlinkSync("../shared/outer.ts", join(folder, "agent/linked.ts"));
};

/** A file of the agent that is rewritten, and the name under which that is told. */
const rewritten = (path: string, name: string): Edit => ({
  title: `${name} (rewritten)`,
  files: { [path]: "export const other = 2;\n" },
  changes: [`~ ${name}`],
});

const widening: readonly Edit[] = [
  {
    title: "the code of a tool",
    files: agent({ code: "function execute() {}" }),
    changes: [
      `~ ${tool("code")}`,
      ...["data.json", "late.ts", "lib/deep.js", "lib/inner.js", "old.cjs", "one.ts", "two.ts", "worker.ts"].map(
        (path) => `- imported file ${path}`,
      ),
      ...["../shared/further.ts", "../shared/linked.ts", "../shared/outer.ts"].map((path) => `- imported file ${path}`),
      "- package pad@1.2.3",
    ],
  },
  {
    title: "a default of a parameter",
    files: agent({ parameter: 'required="false" default="evil.com"' }),
    changes: [`~ ${tool("parameters")}`],
  },
  {
    title: "a variable that a tool sees",
    files: agent({ tool: 'env="API_KEY"' }),
    changes: [`+ ${tool("variable API_KEY")}`],
  },
  {
    title: "the hosts of a tool",
    files: agent({ tool: 'network="a.com"' }),
    changes: [`+ ${tool("host a.com")}`, `- ${tool("any public host")}`],
  },
  {
    title: "the files of a tool",
    files: agent({ tool: 'files="read:data/**,write:out/**"' }),
    changes: [
      `+ ${tool("files data/**, to read")}`,
      `+ ${tool("files out/**, to write")}`,
      `- ${tool("files of any name")}`,
    ],
  },
  {
    title: "the permission of a tool",
    files: agent({ tool: 'permission="ask"' }),
    changes: [`+ ${tool("permission")}`],
  },
  {
    title: "the permissions of the frontmatter",
    files: agent({ frontmatter: "permissions:\n  bash: allow\n" }),
    changes: ["+ permission bash"],
  },
  {
    title: "the tools that the agent has",
    files: agent({ frontmatter: "builtins: off\n" }),
    changes: ["+ setting builtins"],
  },
  { title: "the sandbox", files: agent({ frontmatter: "sandbox: off\n" }), changes: ["+ sandbox: mode"] },
  {
    title: "a heartbeat that was not there",
    files: { "agent/heartbeat.md": "@every: 15m\n" },
    changes: ["+ heartbeat", "+ heartbeat: times"],
  },
  {
    title: "a module",
    files: { "agent/modules/clock.ts": "export default {};\n" },
    changes: ["~ module file modules/clock.ts", "- imported file macro.ts"],
  },
  rewritten("agent/modules/parts/hand.ts", "module file modules/parts/hand.ts"),
  rewritten("agent/lib/deep.js", "imported file lib/deep.js"),
  rewritten("agent/late.ts", "imported file late.ts"),
  rewritten("agent/two.ts", "imported file two.ts"),
  rewritten("agent/old.cjs", "imported file old.cjs"),
  rewritten("agent/data.json", "imported file data.json"),
  rewritten("agent/macro.ts", "imported file macro.ts"),
  rewritten("agent/worker.ts", "imported file worker.ts"),
  rewritten("shared/further.ts", "imported file ../shared/further.ts"),
  rewritten("shared/linked.ts", "imported file ../shared/linked.ts"),
  rewritten("agent/node_modules/pad/pad.mjs", "package pad@1.2.3"),
  rewritten("agent/node_modules/pad/main.cjs", "package pad@1.2.3"),
  rewritten("agent/tools/extra.sh", "tool file tools/extra.sh"),
  rewritten("agent/skills/sum/scripts/sum.py", "script skills/sum/scripts/sum.py"),
  rewritten("agent/package.json", "file package.json"),
  rewritten("agent/tsconfig.json", "file tsconfig.json"),
  rewritten("agent/bun.lock", "file bun.lock"),
  {
    title: "a new module",
    files: { "agent/modules/other.ts": "export default {};\n" },
    changes: ["+ module file modules/other.ts"],
  },
  {
    title: "a new file that takes the place of an imported one",
    files: { "agent/lib/inner.ts": "export const inner = 2;\n" },
    changes: ["+ imported file lib/inner.ts"],
  },
  {
    title: "a link that leads elsewhere",
    edit: relink,
    changes: ["- imported file ../shared/linked.ts"],
  },
  {
    title: "a newer version of a package",
    files: { "agent/node_modules/pad/package.json": '{"name":"pad","version":"2.0.0","main":"./esm.mjs"}' },
    changes: ["+ package pad@2.0.0", "- package pad@1.2.3"],
  },
];

describe("the hash of what can execute changes with", () => {
  test.each(widening)("$title", async ({ files = {}, edit, changes }) => {
    using folder = temporaryDirectory();
    const directory = importingAgent(folder.path);
    using agent = await trustedAgent(directory);
    writeFiles(folder.path, files);
    edit?.(folder.path);
    expect((await agent.changes()).map(withoutValues).toSorted()).toStrictEqual(changes.toSorted());
  });
});

const harmless: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    "the persona",
    { "agent/agent.mdx": importingText().replace("Import.", "Import much.\n\n## Constraints\n\n- None") },
  ],
  ["the description of a tool", { "agent/agent.mdx": importingText().replace('"Fetch"', '"Fetch it"') }],
  ["the description of a parameter", { "agent/agent.mdx": importingText().replace('"Where"', '"Where to"') }],
  ["other settings", { "agent/agent.mdx": importingText().replace("temperature: 1", "temperature: 0") }],
  ["the text of a skill", { "agent/skills/sum/SKILL.md": "---\nname: sum\ndescription: Sums.\n---\nDo.\n" }],
  ["a new skill without scripts", { "agent/skills/new/SKILL.md": "---\nname: new\ndescription: New.\n---\nNew.\n" }],
  ["a text of a skill without an ending", { "agent/skills/sum/LICENSE": "Free." }],
  ["a session", { "agent/sessions/main/journal.jsonl": "{}\n" }],
  ["a file that nothing imports", { "agent/out/made.ts": "export const made = 1;\n" }],
  ["a lock file of the agent", { "agent/agent.lock.json": "{}" }],
  ["a list of trusted directories in the directory", { "agent/trust.json": "{}" }],
];

describe("the hash of what can execute stays the same with", () => {
  test.each(harmless)("%s", async (_title, files) => {
    using folder = temporaryDirectory();
    const directory = importingAgent(folder.path);
    using agent = await trustedAgent(directory);
    writeFiles(folder.path, files);
    expect(await agent.changes()).toStrictEqual([]);
  });

  test("a directory that is read once more, or through a link", async () => {
    using folder = temporaryDirectory();
    const directory = importingAgent(folder.path);
    using agent = await trustedAgent(directory);
    symlinkSync(directory, join(folder.path, "link"));
    expect(await agent.changes()).toStrictEqual([]);
    using linked = await trustedAgent(join(folder.path, "link"));
    expect(linked.record.hash).toBe(agent.record.hash ?? "");
  });
});

describe("the file of a tool's src", () => {
  test("is its code: an edit of it changes the tool, and of what it imports the hash", async () => {
    using folder = temporaryDirectory();
    const tool = '<Tool name="far" description="Far" src="./tools/far.ts">\n</Tool>\n';
    const source = 'import { near } from "../near.ts";\nexport function execute() { return near; }\n';
    writeFiles(folder.path, {
      "agent.mdx": `# Agent: A\n\n## Purpose\n\nB.\n\n${tool}`,
      "tools/far.ts": source,
      "near.ts": "export const near = 1;\n",
    });
    using agent = await trustedAgent(folder.path);
    const names = agent.record.entries.map(entryName);
    expect(names).toEqual(expect.arrayContaining(["imported file near.ts", "tool file tools/far.ts"]));
    writeFiles(folder.path, { "tools/far.ts": `${source}// edited\n` });
    expect(await agent.changes()).toStrictEqual(['~ tool "far": code', "~ tool file tools/far.ts"]);
  });
});

describe("an entry", () => {
  test("cannot be hidden behind the name of another tool", async () => {
    using folder = temporaryDirectory();
    const text = (name: string, network: string): string =>
      `<Tool name='${name}' description="x" network='${network}'>\n\n\`\`\`ts\nfunction execute() {}\n\`\`\`\n\n</Tool>\n`;
    const tools = [text("a", "b.com"), text('a": host b.com', "none")];
    writeFiles(folder.path, { "agent.mdx": `# Agent: A\n\n## Purpose\n\nB.\n\n${tools.join("\n")}` });
    const before = await manifestOf(folder.path);
    writeFiles(folder.path, { "agent.mdx": `# Agent: A\n\n## Purpose\n\nB.\n\n${text("a", "b.com")}` });
    const names = difference(before.entries, (await manifestOf(folder.path)).entries).map(({ name }) => name);
    expect(new Set(names.map((name) => name.split(": ")[0]))).toStrictEqual(new Set(['tool "a\\"']));
  });
});
