import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { protectedPaths } from "@mdx-ai/permissions";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../../test/support/agent-directory.ts";
import { MacosSandboxFactory, macosCommand } from "./macos.ts";
import type { Mount } from "./mounts.ts";
import { Proxies } from "./network/proxies.ts";

const ownFolders = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("mdx-ai-private-"));

test("a sandbox of macOS shows what is named in folders that all programs share, and makes nothing in the agent directory", async () => {
  using agent = agentDirectory();
  const before = ownFolders();
  const factory = new MacosSandboxFactory({
    ...{ agentDir: agent.path, cwd: agent.path, environment: { HOME: agent.path }, toolHostCommand: toolHostCommand() },
    lists: protectedPaths({ environment: { HOME: agent.path } }),
    policy: { mode: "required", network: "none", read: [], write: [] },
  });
  const view = factory.view({ purpose: "shell" });
  expect(view).toMatchObject({ writable: [agent.path], network: [] });
  expect(view.private).toEqual([expect.stringContaining("mdx-ai-private-")]);
  expect(view.hidden).toContain("/tmp");
  expect(view.protected).toContain(`${agent.path}/agent.mdx`);
  for (const name of ["heartbeat.md", ".git"]) expect(view.placeholders).toContain(`${agent.path}/${name}`);
  expect(readdirSync(agent.path)).toStrictEqual(["agent.mdx"]);
  expect(ownFolders()).toHaveLength(before.length + 1);
  await factory.close();
  expect(ownFolders()).toStrictEqual([...before]);
});

const PATHS = {
  mounts: new Map<string, Mount>([
    ["/Users/me", { kind: "hidden-folder" }],
    ["/Users/me/agent", { kind: "writable" }],
    ["/Users/me/agent/agent.mdx", { kind: "read-only" }],
  ]),
  absent: ["/Users/me/agent/heartbeat.md"],
  temporary: "/private/tmp/own",
};

test("a command of macOS runs with rules for what it may write, read and reach", () => {
  const text = macosCommand(["echo", "it's"], PATHS, 4711);
  expect(text).toContain("/usr/bin/sandbox-exec -p ");
  expect(text).toContain("localhost:4711");
  for (const path of [...PATHS.mounts.keys(), ...PATHS.absent, PATHS.temporary])
    expect(text).toContain(`(subpath "${path}")`);
  expect(text).toContain("HTTPS_PROXY=");
  expect(macosCommand(["true"], PATHS, undefined)).not.toContain("localhost:");
  expect(macosCommand(["true"], PATHS, "all")).toContain("(allow network*)");
});

test("a hostile path is one text in the rules", () => {
  const path = '/Users/me/a") (allow default) ("';
  const text = macosCommand(["true"], { ...PATHS, mounts: new Map([[path, { kind: "writable" }]]) }, undefined);
  expect(text).not.toContain('a") (allow');
  expect(text).toContain("(allow default)");
});

test("proxies without a path listen at a port of the loopback, one for each list of hosts", async () => {
  const proxies = new Proxies();
  try {
    const { address: port } = await proxies.to(["a.example"]);
    expect((await proxies.to(["a.example"])).address).toBe(port);
    expect((await proxies.to(["b.example"])).address).not.toBe(port);
    const client = connect({ host: "127.0.0.1", port: Number(port) });
    client.write("CONNECT b.example:443 HTTP/1.1\r\n\r\n");
    let answer = "";
    for await (const bytes of client) answer += String(bytes);
    expect(answer).toStartWith("HTTP/1.1 403 Forbidden");
  } finally {
    await proxies.close();
  }
});
