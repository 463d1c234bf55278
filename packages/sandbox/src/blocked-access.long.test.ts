import { describe, expect, test } from "bun:test";
import { requireProgram } from "../../../test/support/require-program.ts";
import { openSandboxBench } from "../../../test/support/sandbox-bench.ts";

/** Commands, and the path, beside the folder of the agent, that they cannot write. */
const COMMANDS: readonly (readonly [program: string, command: string, name: string])[] = [
  ["touch", "touch ../x", "x"],
  ["bash", "echo 1 > ../x", "x"],
  ["mkdir", "mkdir ../x", "x"],
  ["cp", "cp agent.mdx ../x", "x"],
  ["git", "git init ../x", "x"],
  ["git", "git config --file ../x a.b c", "x"],
  ["node", 'node -e "require(\\"fs\\").mkdirSync(\\"../x\\")"', "x"],
  ["python3", 'python3 -c "open(\\"../x\\", \\"w\\")"', "x"],
];

/** Commands that ask a host. */
const REQUESTS: readonly (readonly [program: string, command: string, host: string])[] = [
  ["curl", "curl -s http://a.example:8080/x", "a.example:8080"],
  ["curl", "curl -s https://a.example | cat", "a.example"],
  ["curl", 'h=a; curl -s "http://$h.example/" -o /dev/null; true', "a.example"],
  ["wget", "wget -q https://a.example", "a.example"],
  ["git", "git clone https://a.example/a/b", "a.example"],
  ["python3", 'python3 -c "import urllib.request as u; u.urlopen(\\"https://a.example\\")"', "a.example"],
  ["npm", "npm view x --registry https://a.example", "a.example"],
  ["pip", "pip download --index-url https://a.example/simple -d /tmp x-that-is-nowhere", "a.example"],
];

describe.skipIf(requireProgram("bwrap"))("a real program in a sandbox", () => {
  test("receives the path that it could not write", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    for (const [program, command, name] of COMMANDS.filter(([name]) => Bun.which(name) !== null)) {
      const { text } = await bench.bash(command);
      expect(`${program}: ${text}`).toContain(
        `[the sandbox prevented writing ${bench.home}/${name}: it lets commands `,
      );
    }
  });

  test("without a network is refused by the proxy within seconds, which names the host, also at the end of a pipe", async () => {
    await using bench = openSandboxBench({ files: { "part/package.json": "{}" } });
    for (const [program, command, name] of REQUESTS.filter(([name]) => Bun.which(name) !== null)) {
      const { text } = await bench.bash(command, 25);
      expect(`${program}: ${text}`).toContain(
        `[the sandbox prevented reaching ${name}: it lets commands reach no network`,
      );
      expect(text).not.toContain("killed: it was not done");
    }
  });

  test("with some hosts is refused others, which are named though it says nothing", async () => {
    await using bench = openSandboxBench({ network: ["a.example"] });
    const { text } = await bench.bash("curl -s -o /dev/null $(printf %s https:// b.example); false");
    expect(text).toEndWith(
      "[exit code 1]\n[the sandbox prevented reaching b.example: it lets commands reach only a.example; the setting sandbox.network names hosts, and --sandbox off runs commands without it]",
    );
  });
});
