import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { changeLine, contentsLines } from "@mdx-ai/directory";
import { difference, lockEntries, lockText, readLock } from "@mdx-ai/directory/lock";
import { readAgentDirectory } from "@mdx-ai/parser";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers } from "../../support/mcp-server-file.ts";
import { manifestOf } from "../../support/read-manifest.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { coveredCode, trustedAgent } from "../../support/trusted-agent.ts";

const servers = `  files: {command: bun, args: [servers/files.ts, --root, "a b"], env: {TOKEN: "\${TOKEN}", KEY: s3cret-text-of-a-user}}
  web: {url: "https://example.com/mcp", headers: {Authorization: "Bearer \${TOKEN}"}}
`;

const skill = `---
name: greeter
description: Greets.
mcp_server: {command: python, args: ["{baseDir}/server.py"]}
---
Greets.
`;

const files = {
  "agent.mdx": agentWithServers(servers),
  "servers/files.ts": 'import "./part.ts";\n',
  "servers/part.ts": "export {};\n",
  "skills/greeter/SKILL.md": skill,
  "skills/greeter/server.py": "print()\n",
};

describe("trust in MCP servers", () => {
  test("shows what each runs, sees, asks and sends, and no secret that was written into it", async () => {
    using directory = agentDirectory(files);
    const lines = contentsLines(await manifestOf(directory.path));
    const at = lines.indexOf("MCP servers: files, web, greeter/greeter");
    expect(lines.slice(at, at + 4)).toStrictEqual([
      "MCP servers: files, web, greeter/greeter",
      '  files: transport stdio; program bun servers/files.ts --root "a b"; variable TOKEN ${TOKEN}; variable KEY',
      "  web: transport http; address https://example.com/mcp; header Authorization Bearer ${TOKEN}",
      "  greeter/greeter: transport stdio; program python {baseDir}/server.py",
    ]);
    const lock = await lockEntries(await readAgentDirectory(directory.path));
    expect(lockText(lock)).not.toContain("s3cret");
    expect(lockText(lock)).not.toContain(directory.path);
    const key = lock.find(({ aspect }) => aspect === "variable KEY");
    expect(key).toMatchObject({ kind: "MCP server", item: "files", value: expect.stringMatching(/^sha256:/) });
  });

  test("covers the files of the directory that a server runs, and what they import", async () => {
    using directory = agentDirectory(files);
    const { files: covered } = await coveredCode(directory.path);
    expect(covered).toEqual(
      expect.arrayContaining(["servers/files.ts", "servers/part.ts", "skills/greeter/server.py"]),
    );
  });

  const edits: readonly [name: string, file: string, from: string, to: string, lines: readonly string[]][] = [
    ["its code", "servers/part.ts", "export {}", "export const a = 1", ["~ imported file servers/part.ts"]],
    [
      "its arguments",
      "agent.mdx",
      '"a b"',
      "b",
      [`~ MCP server "files": program (bun servers/files.ts --root "a b" → bun servers/files.ts --root b)`],
    ],
    [
      "its address",
      "agent.mdx",
      "example.com",
      "evil.com",
      ['~ MCP server "web": address (https://example.com/mcp → https://evil.com/mcp)'],
    ],
    ["a secret in it", "agent.mdx", "s3cret", "s4cret", ['~ MCP server "files": variable KEY']],
    [
      "a header",
      "agent.mdx",
      "Authorization",
      "X-Key",
      [
        '- MCP server "web": header Authorization (Bearer ${TOKEN})',
        '+ MCP server "web": header X-Key (Bearer ${TOKEN})',
      ],
    ],
    [
      "the server of a skill",
      "skills/greeter/SKILL.md",
      "command: python",
      "command: python3",
      ['~ MCP server "greeter/greeter": program (python {baseDir}/server.py → python3 {baseDir}/server.py)'],
    ],
  ];
  for (const [name, file, from, to, lines] of edits) {
    test(`ends with a change of ${name}`, async () => {
      using directory = agentDirectory(files);
      using agent = await trustedAgent(directory.path);
      const path = join(directory.path, file);
      await Bun.write(
        path,
        (await Bun.file(path).text()).replace(from, () => to),
      );
      const changes = await agent.changes();
      expect(changes.map((line) => line.replace(/sha256:\w+/g, "…"))).toStrictEqual(
        lines.map((line) => (name === "a secret in it" ? expect.stringContaining(line) : line)),
      );
    });
  }
});

describe("trust covers what a server runs, however its declaration names it", () => {
  const cases: readonly [server: string, file: string][] = [
    ["{command: python3, args: ['-m', server]}", "server.py"],
    ["{command: python3, args: ['-m', app.main], cwd: srv}", "srv/app/main.py"],
    ["{command: python3, args: [run.txt]}", "run.txt"],
    ["{command: python3, args: [srv/run.py]}", "srv/helper.py"],
    ["{command: python3, args: [srv]}", "srv/__main__.py"],
    ["{command: sh, args: [srv/run]}", "srv/run"],
    ["{command: sh, args: ['-c', 'exec python3 srv/run.py']}", "srv/run.py"],
    ["{command: node, args: [.]}", "index.js"],
    ["{command: node, args: [srv]}", "srv/index.js"],
    ["{command: bun, args: [run, srv/start]}", "srv/start.ts"],
    ["{command: bun, args: ['${FOLDER:-srv}/start.ts']}", "srv/start.ts"],
    ["{command: node, args: [a.js], env: {NODE_OPTIONS: '--require ./first.txt'}}", "first.txt"],
    ["{command: python3, args: [a.py], env: {PYTHONPATH: lib}}", "lib/helper.py"],
    ["{command: uv, args: ['--directory', srv, run, serve]}", "srv/pyproject.toml"],
    ["{command: make, args: [serve]}", "Makefile"],
    ["{command: bun, args: [state/start.ts]}", "state/start.ts"],
    ["{command: env, args: [A=1, sh, notes.md]}", "notes.md"],
    ["{command: sh, args: ['-c', 'cat a.txt; . ./notes.md']}", "notes.md"],
    ["{command: sh, args: ['-c', 'cd srv && sh notes']}", "srv/notes"],
  ];
  test.each(cases)("%s runs %s", async (server, file) => {
    const more = file === "srv/helper.py" ? { "srv/run.py": "import helper" } : {};
    using directory = agentDirectory({ "agent.mdx": agentWithServers(`  one: ${server}\n`), ...more, [file]: "1" });
    using agent = await trustedAgent(directory.path);
    await Bun.write(join(directory.path, file), "2");
    expect(await agent.changes()).toStrictEqual([expect.stringContaining(file)]);
  });

  test("and a new file beside a program, or one that decides what it is, defines the agent; data of a server does not", async () => {
    using directory = agentDirectory({
      "agent.mdx": agentWithServers("  one: {command: python3, args: [srv/run.py, --db, notes/data.db, notes]}\n"),
      "srv/run.py": "import json\n",
      "notes/data.db": "x",
    });
    const manifest = await manifestOf(directory.path);
    const { files: covered } = await coveredCode(directory.path);
    expect(covered.filter((path) => !manifest.shadows.includes(path))).toStrictEqual([
      ...["agent.mdx", "heartbeat.md", "srv", "srv/run.py"],
    ]);
    expect(manifest.shadows).toContain("uv.toml");
  });
});

test("a lock file tells what a server may do more, and one that was written is read again", async () => {
  using directory = agentDirectory(files);
  using place = temporaryDirectory();
  const before = await lockEntries(await readAgentDirectory(directory.path));
  await Bun.write(join(place.path, "agent.lock.json"), lockText(before));
  expect(difference(readLock(join(place.path, "agent.lock.json")), before)).toStrictEqual([]);
  await Bun.write(
    join(directory.path, "agent.mdx"),
    agentWithServers(`${servers.replace("bun, args", "node, args")}  more: {command: npx, tools: [one]}\n`),
  );
  const after = await lockEntries(await readAgentDirectory(directory.path));
  expect(difference(before, after).map((change) => [change.grade, changeLine(change)])).toStrictEqual([
    [
      "changed",
      '~ MCP server "files": program (bun servers/files.ts --root "a b" → node servers/files.ts --root "a b")',
    ],
    ["widened", '+ MCP server "more": program (npx)'],
    ["narrowed", '+ MCP server "more": tools (one)'],
    ["widened", '+ MCP server "more": transport (stdio)'],
  ]);
});
