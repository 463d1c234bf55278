import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentDirectory, permissionRules, readAgentDirectory, readUserSettings } from "@mdx-ai/parser";
import { writeFiles } from "../support/agent-files.ts";
import { agentText, toolWithCode } from "../support/agent-text.ts";
import { placesOf } from "../support/diagnostic-places.ts";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const directories = temporaryDirectory();
afterAll(() => directories[Symbol.dispose]());
let count = 0;

/** What takes longer than this is taken for something that does not end. */
const bound = 30_000;

function agentWith(text: string): Promise<AgentDirectory> {
  const path = join(directories.path, String(count++));
  mkdirSync(path);
  return readAgentDirectory(writeFiles(path, { "agent.mdx": text }));
}

const withYaml = (yaml: string): string => `---\n${yaml}\n---\n\n${agentText("")}`;

const layers = Array.from({ length: 40 }, (_, depth) => {
  const alias = depth === 0 ? "x" : `*a${depth - 1}`;
  return `a${depth}: &a${depth} [${Array(10).fill(alias).join(", ")}]`;
}).join("\n");

describe("YAML that would cost a machine all it has is one error, and its settings are left out", () => {
  const rows: readonly [string, string][] = [
    ["ten thousand lists in each other", `name: ${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["ten thousand lists that do not end", `name: ${"[".repeat(10_000)}`],
    ["ten thousand maps in each other", `name: ${"{a: ".repeat(10_000)}1${"}".repeat(10_000)}`],
    ["ten thousand lists by dashes", `name:\n  ${"- ".repeat(10_000)}x`],
    ["ten thousand permissions in each other", `permissions: ${"{bash: ".repeat(10_000)}deny${"}".repeat(10_000)}`],
    ["a billion laughs", layers],
    ["a billion laughs of permissions", `${layers}\npermissions: *a39`],
    ["a map that holds itself", "permissions: &p {bash: *p}"],
    ["a list that holds itself", "sandbox: {network: &n [*n]}"],
  ];
  for (const [name, yaml] of rows) {
    test(
      `YAML of ${name} is one error at once, and no setting counts`,
      async () => {
        const { definition, diagnostics } = await agentWith(withYaml(yaml));
        expect([...new Set(diagnostics.map(({ severity, rule }) => `${severity} ${rule}`))]).toStrictEqual([
          "error frontmatter-syntax",
        ]);
        expect(definition.settings).toStrictEqual({});
        expect((await readUserSettings(yaml)).problems.length).toBeGreaterThan(0);
      },
      bound,
    );
  }
});

describe("a key that means something to JavaScript stays a key: nothing is polluted", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  for (const name of names) {
    test(`${name} as a pattern of permissions`, async () => {
      const yaml = `permissions: {${name}: deny, bash: {${name}: [x]}}`;
      const { definition, diagnostics } = await agentWith(withYaml(yaml));
      expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(["permission-tool", "setting-unknown"]);
      const { permissions = {} } = definition.settings;
      expect(Object.keys(permissions)).toStrictEqual([name]);
      expect(permissionRules(permissions)).toStrictEqual([{ tool: name, action: "deny" }]);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    });

    test(`${name} as a setting is unknown`, async () => {
      const yaml = `${name}: {polluted: true, model: a/b}\nlimits: {${name}: {turns: 1}}\nsandbox: {${name}: off}`;
      const { definition, diagnostics } = await agentWith(withYaml(yaml));
      expect(diagnostics.map(({ rule }) => rule)).toStrictEqual(Array(3).fill("setting-unknown"));
      expect(definition.settings).toStrictEqual({});
      const plain: object = {};
      expect(["polluted", "model", "turns"].filter((key) => key in plain)).toStrictEqual([]);
      const user = await readUserSettings(yaml);
      expect(user.problems.every(({ severity }) => severity === "error")).toBe(true);
      expect(user.settings).toStrictEqual({});
    });

    test(`${name} as the value of every attribute of a tool is a text or an error`, async () => {
      const attributes = [
        "name",
        "description",
        "src",
        "env",
        "timeout",
        "idempotent",
        "permission",
        "network",
        "files",
      ];
      const written = attributes.map((attribute) => `${attribute}="${name}"`).join(" ");
      const { tools, diagnostics } = await parseAgentMdx(agentText(`<Tool ${written} />`));
      expect(tools).toStrictEqual([]);
      const rules = new Set(diagnostics.map(({ rule }) => rule));
      for (const attribute of ["source", "timeout", "idempotent", "permission", "files"]) {
        expect(rules).toContain(`tool-${attribute}`);
      }
    });

    test(`${name} as the value of every attribute of a parameter, and as an attribute`, async () => {
      const attributes = ["name", "type", "required", "nullable", "default", "enum", "min", "max", "pattern"];
      const written = attributes.map((attribute) => `${attribute}="${name}"`).join(" ");
      const tool = toolWithCode("function execute() {}").replace('<Param name="city"', `<Param ${name}="x" ${written}`);
      const { tools, diagnostics } = await parseAgentMdx(agentText(tool));
      expect(diagnostics.map(({ rule }) => rule).filter((rule) => rule.startsWith("attribute"))).toStrictEqual([
        "attribute-unknown",
      ]);
      expect(tools.map(({ parameters }) => parameters.map((parameter) => parameter.name))).toStrictEqual([[name]]);
      expect(JSON.parse(JSON.stringify(tools))).toStrictEqual(tools);
    });
  }

  test("a tool of the name __proto__ is a tool like others", async () => {
    const text = agentText(toolWithCode("function execute() {}", 'name="__proto__" description="d"'));
    const { definition, diagnostics } = await agentWith(`---\npermissions: {__proto__: ask}\n---\n${text}`);
    expect(diagnostics).toStrictEqual([]);
    expect(definition.tools.map(({ name }) => name)).toStrictEqual(["__proto__"]);
  });
});

describe("frontmatter in another language is never run", () => {
  const languages = ["js", "javascript", "coffee", "json", "ts", " js", "=js"];
  for (const language of languages) {
    test(`---${language}: its code is inert, whatever is made of its text`, async () => {
      const witness = join(directories.path, `witness-${count}`);
      const code = `require("node:fs").writeFileSync(${JSON.stringify(witness)}, "ran")`;
      const text = `---${language}\nmodule.exports = ${code};\n---\n\n${agentText("")}`;
      const { definition, diagnostics } = await agentWith(text);
      expect(existsSync(witness)).toBe(false);
      expect(definition.settings).toStrictEqual({});
      expect(diagnostics.filter(({ rule }) => rule.startsWith("tool"))).toStrictEqual([]);
      expect(definition.program).toBeUndefined();
    });
  }
});

describe("a tag of YAML makes no object of a class", () => {
  const tags = [
    "!!js/function 'function () { return 1; }'",
    "!!js/regexp /a/",
    "!!python/object:os.system x",
    "!!binary aGk=",
    "!!set {a}",
  ];
  for (const tag of tags) {
    test(tag, async () => {
      const { definition } = await agentWith(withYaml(`name: ${tag}`));
      expect(["string", "undefined"]).toContain(typeof definition.settings.name);
      expect(JSON.parse(JSON.stringify(definition.settings))).toStrictEqual(definition.settings);
    });
  }
});

describe("many of a thing are read in bounded time", () => {
  const rows: readonly [string, string][] = [
    [
      "ten thousand permissions",
      withYaml(`permissions:\n${Array.from({ length: 10_000 }, (_, index) => `  "t${index}*": deny`).join("\n")}`),
    ],
    ["ten thousand wrong settings", withYaml(Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join("\n"))],
    [
      "ten thousand hosts and files",
      agentText(
        toolWithCode(
          "function execute() {}",
          `name="t" description="d" network="${Array(10_000).fill("a.example").join()}" files="${Array(10_000).fill("read:a/**").join()}"`,
        ),
      ),
    ],
    ["braces in one paragraph that nothing closes", agentText("a {\n".repeat(25_000))],
    ["tags in their own paragraphs that nothing closes", agentText("a <b>\n\n".repeat(14_000))],
  ];
  for (const [name, text] of rows) {
    test(name, async () => expect(placesOf((await parseAgentMdx(text)).diagnostics)).toBeArray(), bound);
  }
});
