import { expect, test } from "bun:test";
import type { ApprovalRequest } from "@mdx-ai/loop";
import type { AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { textOf } from "../../support/tool-context.ts";

/** The results of calls of web_fetch, one after another, with `HERE` for the server. */
async function fetched(urls: readonly string[], options: (host: string) => Partial<AgentOptions>) {
  using directory = agentDirectory({ "agent.mdx": `---\nbuiltins: [web_fetch]\n---\n${MINIMAL_AGENT}` });
  await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("the page") });
  const host = `127.0.0.1:${server.port}`;
  const calls = urls.map((url, id) => ({
    calls: [{ id: String(id), name: "web_fetch", arguments: { url: url.replace("HERE", host) } }],
  }));
  const agent = await openScriptAgent(directory.path, [...calls, { text: "done" }], options(host));
  await Array.fromAsync(agent.session().prompt("look"));
  const messages = await agent.session().messages();
  await agent.close();
  return messages
    .flatMap((message) => (message.role === "toolResult" ? textOf(message) : []))
    .map((text) => text.replaceAll(host, "HERE"));
}

const sandbox = (host: string) => ({ mode: "off" as const, network: [host] });
const denied = (host: string): string =>
  `not run: reaches ${host}, and no user can be asked; allow it with --allow 'web_fetch(${host})'`;
const isPrivate = expect.stringContaining("is an address of this machine or of a private network");

test.each<[string, readonly unknown[], (host: string) => Partial<AgentOptions>]>([
  ["without a user is denied with the flag", [denied("HERE")], () => ({})],
  ["runs if the user allows the host", [isPrivate], (host) => ({ permissions: { allow: [`web_fetch(${host})`] } })],
  [
    "runs if a pattern matches the host",
    [isPrivate],
    () => ({ permissions: { settings: { "web_fetch(127.*)": "allow" } } }),
  ],
  [
    "is denied if a pattern denies the host",
    ["not run: the user denies web_fetch(127.*)"],
    (host) => ({ sandbox: sandbox(host), permissions: { deny: ["web_fetch(127.*)"] } }),
  ],
  ["runs if the user's settings list the host", ["the page"], (host) => ({ sandbox: sandbox(host) })],
  ["runs in the mode plan, too", ["the page"], (host) => ({ sandbox: sandbox(host), permissions: { mode: "plan" } })],
  ["is asked about in the mode all, too", [denied("HERE")], () => ({ permissions: { mode: "all" } })],
])("a fetch %s", async (_name, expected, options) => {
  expect<readonly unknown[]>(await fetched(["http://HERE/"], options)).toEqual(expected);
});

test("an address of a private network is refused though the user is asked and allows it, once for each host", async () => {
  const asked: ApprovalRequest[] = [];
  const onApproval = async (request: ApprovalRequest) => {
    asked.push(request);
    return { answer: "session" as const };
  };
  const urls = ["http://HERE/", "http://HERE/other", "http://localhost:1/", "http://[::1]:1/"];
  const results = await fetched(urls, () => ({ onApproval }));
  expect(results).toEqual(Array(4).fill(isPrivate));
  expect(asked.map(({ pattern }) => pattern.replace(/:\d{2,}/, ":N"))).toStrictEqual([
    "web_fetch(127.0.0.1:N)",
    "web_fetch(localhost:1)",
    "web_fetch([::1]:1)",
  ]);
});
