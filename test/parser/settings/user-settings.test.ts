import { describe, expect, test } from "bun:test";
import { readUserSettings } from "@mdx-ai/parser";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";

test("a user's settings hold permissions and the sandbox", async () => {
  const text = `# mine
permissions:
  bash: ask
  "bash(git *)": allow
  write_file: {allow: ["out/**"]}
  "mcp.*": deny
sandbox: {mode: required, network: [packages.example.org, "*.example.com"]}
`;
  expect(await readUserSettings(text)).toStrictEqual({
    settings: {
      permissions: { bash: "ask", "bash(git *)": "allow", write_file: { allow: ["out/**"] }, "mcp.*": "deny" },
      sandbox: { mode: "required", network: ["packages.example.org", "*.example.com"] },
    },
    problems: [],
    sandboxPaths: [],
  });
});

test("a user's settings hold those of the terminal", async () => {
  const settings = { statusbar: "birdie", tool_output: "off", notify: "off", theme: "light", plain: "on" } as const;
  const text = "statusbar: birdie\ntool_output: off\nnotify: off\ntheme: light\nplain: on\n";
  expect(await readUserSettings(text)).toStrictEqual({ settings, problems: [], sandboxPaths: [] });
});

test("a user's settings hold a search endpoint, with an address", async () => {
  const web_search = { url: "https://example.com/search", headers: { "X-Key": "${KEY}" } };
  const text = 'web_search: {url: "https://example.com/search", headers: {X-Key: "${KEY}"}}\n';
  expect(await readUserSettings(text)).toStrictEqual({ settings: { web_search }, problems: [], sandboxPaths: [] });
  const byProvider = { settings: { web_search: "provider" as const }, problems: [], sandboxPaths: [] };
  expect(await readUserSettings("web_search: provider\n")).toStrictEqual(byProvider);
  for (const wrong of ["web_search: {}", "web_search: {url: example.com}", "web_search: on"]) {
    expect((await readUserSettings(wrong)).problems).toHaveLength(1);
  }
});

test("the paths of the sandbox have their positions", async () => {
  const text = "sandbox:\n  mode: auto\n  read: [~/data, /mnt/share]\n  write:\n    - ~/work/out\n";
  expect(await readUserSettings(text)).toStrictEqual({
    settings: { sandbox: { mode: "auto", read: ["~/data", "/mnt/share"], write: ["~/work/out"] } },
    problems: [],
    sandboxPaths: [
      { access: "read", path: "~/data", line: 3, column: 10 },
      { access: "read", path: "/mnt/share", line: 3, column: 18 },
      { access: "write", path: "~/work/out", line: 5, column: 7 },
    ],
  });
});

for (const text of ["", "# nothing yet\n", "\uFEFFsandbox: auto\n", "sandbox: auto\r\n"]) {
  test(`a file that says little is all right: ${JSON.stringify(text)}`, async () => {
    const { settings, problems } = await readUserSettings(text);
    expect(problems).toStrictEqual([]);
    expect(settings.sandbox).toBe(text.includes("auto") ? "auto" : undefined);
  });
}

describe("whatever is wrong is an error at its place, for it may have been a denial", () => {
  const rows: readonly [string, string, readonly string[]][] = [
    ["a misspelled key", "permisions: {bash: deny}", ["1:1 error setting-unknown"]],
    ["a setting of the frontmatter", "sandbox: off\nmodel: openai/gpt-5", ["2:1 error setting-unknown"]],
    ["a misspelled action", "permissions:\n  bash: dney", ["2:9 error setting-type"]],
    ["a misspelled action before a list", "permissions: {bash: {dney: [x]}}", ["1:22 error setting-unknown"]],
    ["a pattern that says nothing", 'permissions: {"bash(": deny}', ["1:15 error permission-pattern"]],
    ["YAML that cannot be read", "permissions: {bash: deny", ["1:25 error frontmatter-syntax"]],
    ["a key twice", "permissions: {bash: deny, bash: allow}", ["1:27 error frontmatter-syntax"]],
    ["two documents", "permissions: {bash: deny}\n---\npermissions: {}", ["2:1 error frontmatter-syntax"]],
    ["a misspelled status bar", "sandbox: auto\nstatusbar: bird", ["2:12 error setting-type"]],
    ["another way to call", "notify: loud", ["1:9 error setting-type"]],
    ["another theme", "theme: {name: dark}", ["1:8 error setting-type"]],
    ["a list", "- bash", ["1:1 error frontmatter-syntax"]],
    ["an answer for the sandbox", "sandbox: false", ["1:10 error setting-type"]],
    ["a relative path for the sandbox", "sandbox: {read: [data]}", ["1:18 error setting-type"]],
    ["the home folder of somebody", "sandbox: {read: [~ada/data]}", ["1:18 error setting-type"]],
    ["a pattern for the sandbox", "sandbox: {write: ['~/out/*.txt']}", ["1:19 error setting-type"]],
    ["the whole home folder", "sandbox: {read: ['~']}", ["1:18 error setting-type"]],
    ["the whole home folder, with a slash", "sandbox: {write: [~/]}", ["1:19 error setting-type"]],
    ["the whole file system", "sandbox: {read: [/]}", ["1:18 error setting-type"]],
    ["a path with ..", "sandbox: {read: [~/data/..]}", ["1:18 error setting-type"]],
    ["a path that is no list", "sandbox: {read: ~/data}", ["1:17 error setting-type"]],
    ["a path that is no text", "sandbox: {read: [1]}", ["1:18 error setting-type"]],
    [
      "two at once, in order",
      "sandbox: yes\npermissions: {bash: never}",
      ["1:10 error setting-type", "2:21 error setting-type"],
    ],
  ];
  for (const [name, text, expected] of rows) {
    test(name, async () => {
      const { problems } = await readUserSettings(text, "/home/ada/settings.yaml");
      expect(problems.map(({ line, column, severity, rule }) => `${line}:${column} ${severity} ${rule}`)).toStrictEqual(
        [...expected],
      );
      for (const { file, message, hint } of problems) {
        expect(file).toBe("/home/ada/settings.yaml");
        expect(message).toMatch(PLAIN_MESSAGE);
        expect(hint).not.toBe("");
      }
    });
  }
});

test("a path of the sandbox that YAML takes for nothing has a hint about paths", async () => {
  for (const text of ["sandbox: {read: [~]}", "sandbox: {write: ['']}"]) {
    const [problem] = (await readUserSettings(text)).problems;
    expect(problem?.hint).toBe("Write each folder that agents need, such as `~/data`; a `~` alone means null in YAML.");
  }
  const [problem] = (await readUserSettings("sandbox: {network: {a: b}}")).problems;
  expect(problem?.hint).toBe("The hosts that the shell may reach; default none.");
});
