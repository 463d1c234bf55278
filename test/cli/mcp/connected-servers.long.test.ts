import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { agentWithServers, bareServer, fileServer, packageServer } from "../../support/mcp-server-file.ts";
import { scriptReference } from "../../support/replies.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const files = {
  "agent.mdx": agentWithServers(fileServer("bare", "server.mjs")),
  "server.mjs": bareServer(`
    tools = [
      { name: "greet", description: "Greets.", inputSchema: { type: "object" } },
      { name: "greet twice", inputSchema: { type: "object" } },
      { name: "hid\\u200bden", inputSchema: { type: "object" } },
    ];
    handlers["resources/list"] = (id) => answer(id, { resources: [{ uri: "tea://green", name: "green" }] });
    handlers["resources/read"] = (id, { uri }) => answer(id, { contents: [{ uri, text: "the text of " + uri }] });`),
  "skills/.keep": "",
};

describe("mdx-ai mcp call", () => {
  test("uses the folders of a server's arguments, wherever they are", async () => {
    using elsewhere = temporaryDirectory();
    await Bun.write(join(elsewhere.path, "note.txt"), "buy tea");
    const server = packageServer("files", "server-filesystem", { args: [elsewhere.path] });
    using directory = agentDirectory({ "agent.mdx": agentWithServers(server), "skills/.keep": "" });
    using home = temporaryDirectory();
    const path = `path=${join(elsewhere.path, "note.txt")}`;
    const args = ["mcp", directory.path, "call", "files", "read_text_file", path, "--trust"];
    expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 0, stdout: "buy tea\n" });
  });
});

describe("a prompt on the command line", () => {
  test("takes the resources and files that its text mentions along", async () => {
    using directory = agentDirectory({ ...files, "notes.md": "buy tea" });
    using home = temporaryDirectory();
    const model = scriptReference(home.path, [{ text: "ok" }]);
    const text = "Compare @bare:tea://green, @notes.md and me@bare:tea://black.";
    const args = ["agent", directory.path, "--trust", "--model", model, "-p", text];
    expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 0, stdout: "ok\n" });
    const [session = ""] = await Array.fromAsync(new Bun.Glob("sessions/*/history.json").scan(directory.path));
    const [{ content }] = JSON.parse(readFileSync(join(directory.path, session), "utf8"));
    expect(content).toBe(
      `${text}\n\n<attached_resource server="bare" uri="tea://green">\n[Resource tea://green]\nthe text of tea://green\n</attached_resource>\n\n<attached_file path="notes.md">\nbuy tea\n</attached_file>`,
    );
  });
});
