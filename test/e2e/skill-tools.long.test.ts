import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { scriptReference } from "../support/replies.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const tool = (name: string, entrypoint: string): string =>
  `### ${name}\ndescription: Does ${name}.\nentrypoint: ${JSON.stringify(entrypoint)}\nschema: {type: object, properties: {text: {type: string}}}\n\n`;

const skill = (tools: string): string => `---\nname: demo\ndescription: Shows tools.\n---\n\n## Tools\n\n${tools}`;

describe.skipIf(requireProgram("openssl"))("a request over https", () => {
  test("goes to the checked address under the name of the host, whose certificate is checked", async () => {
    using home = temporaryDirectory();
    const [key, certificate] = [join(home.path, "key.pem"), join(home.path, "certificate.pem")];
    const made = Bun.spawnSync(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`.split(
        " ",
      ),
    );
    expect(made.exitCode).toBe(0);
    const seen: (string | null)[] = [];
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key: Bun.file(key), cert: Bun.file(certificate) },
      fetch: (request) => {
        seen.push(request.headers.get("host"));
        return new Response("safe");
      },
    });
    const hosts = [`localhost:${server.port}`, `127.0.0.1:${server.port}`];
    writeFiles(home.path, {
      "agent/agent.mdx": MINIMAL_AGENT,
      "agent/skills/demo/SKILL.md": skill(
        hosts.map((host, index) => tool(`get${index}`, `http:get https://${host}/`)).join(""),
      ),
      ".config/mdx-ai/settings.yaml": `sandbox: {network: [${hosts.map((host) => JSON.stringify(host)).join(", ")}]}\n`,
    });
    const call = (name: string, environment: Readonly<Record<string, string>>) =>
      runCli(["tool", join(home.path, "agent"), name, "--trust"], { home: home.path, environment });
    const trusting = { NODE_EXTRA_CA_CERTS: certificate };
    expect(await call("get0", trusting)).toMatchObject({ exitCode: 0, stdout: "safe\n" });
    // The certificate is for another name, or of nobody that is known.
    expect(await call("get1", trusting)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("ALTNAME") });
    expect(await call("get0", {})).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("self signed") });
    expect(seen).toStrictEqual([hosts[0] ?? ""]);
  });
});

test.skipIf(requireProgram("python3"))(
  "a model calls the tools of a skill, and its session remembers what they said",
  async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, {
      "agent/agent.mdx": MINIMAL_AGENT,
      "agent/skills/demo/SKILL.md": skill(tool("say", "bash:echo {text}") + tool("shout", "python:words.shout")),
      "agent/skills/demo/words.py": "def shout(text):\n    return text.upper()\n",
    });
    const model = scriptReference(home.path, [
      {
        calls: [
          { id: "1", name: "say", arguments: { text: "it's $(id)" } },
          { id: "2", name: "shout", arguments: { text: "hello" } },
          { id: "3", name: "say", arguments: { text: {} } },
        ],
      },
      { text: "Done." },
    ]);
    const args = [
      "agent",
      join(home.path, "agent"),
      "--trust",
      "--allow",
      "say",
      "--prompt",
      "Go",
      "--json",
      "--model",
      model,
    ];
    const { stdout, exitCode } = await runCli(args, { home: home.path });
    const events = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    const results = events
      .filter(({ type, message }) => type === "message_end" && message.role === "toolResult")
      .map(({ message }) => [message.toolName, message.content[0].text, message.isError]);
    expect([exitCode, results]).toStrictEqual([
      0,
      [
        ["say", "it's $(id)\n", false],
        ["shout", "HELLO", false],
        ["say", 'invalid arguments: parameter "text" must be string, not object. Example: say {"text":"<text>"}', true],
      ],
    ]);
  },
);
