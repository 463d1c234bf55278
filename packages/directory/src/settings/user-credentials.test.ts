import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { CredentialDefinition } from "@mdx-ai/parser";
import { writeText } from "../../../../test/support/agent-files.ts";
import { requireProgram } from "../../../../test/support/require-program.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { userCredentials } from "./user-credentials.ts";

const KEY = "key-of-8-or-more";

/** What the header of a request to a host holds. */
async function header(
  more: Partial<CredentialDefinition>,
  environment: Readonly<Record<string, string>> = { EXAMPLE_KEY: KEY },
  outside: readonly string[] = [],
): Promise<string> {
  const settings = { "api.example.com": { env: "EXAMPLE_KEY", ...more } };
  const [grant] = userCredentials(settings, { environment, outside });
  return `${grant?.header}: ${(await grant?.read())?.value}`;
}

describe("the header of a key", () => {
  test.each<[string, Partial<CredentialDefinition>]>([
    [`Authorization: Bearer ${KEY}`, {}],
    [`authorization: Bearer ${KEY}`, { header: "authorization" }],
    [`X-Api-Key: ${KEY}`, { header: "X-Api-Key" }],
    [`Authorization: token ${KEY}, ${KEY}`, { format: "token {}, {}" }],
    [`Authorization: Basic ${btoa(`x-access-token:${KEY}`)}`, { user: "x-access-token" }],
    [`X-Auth: Basic ${btoa(`me:${KEY}`)}`, { user: "me", header: "X-Auth" }],
  ])("is %s for %p", async (expected, credential) => {
    expect(await header(credential)).toBe(expected);
  });

  test("holds characters that have a meaning in replacements", async () => {
    expect(await header({}, { EXAMPLE_KEY: "$&$1$$-key" })).toBe("Authorization: Bearer $&$1$$-key");
  });
});

describe("a key", () => {
  test("of a variable is the one that it has at the request", async () => {
    const environment: Record<string, string> = {};
    const [grant] = userCredentials({ "api.example.com": { env: "EXAMPLE_KEY" } }, { environment, outside: [] });
    expect(grant?.read()).rejects.toThrow("the variable EXAMPLE_KEY is not set");
    environment["EXAMPLE_KEY"] = ` ${KEY}\n`;
    expect((await grant?.read())?.key).toBe(KEY);
  });

  test.each([
    ["short", "it is shorter than 8 characters"],
    ["with\nanother line", "it has characters that no header can hold"],
    ["kéy of 8 or more", "it has characters that no header can hold"],
  ])("%j is refused", async (value, problem) => {
    expect(header({}, { EXAMPLE_KEY: value })).rejects.toThrow(problem);
  });

  test("of a command is asked for once, with the user's variables, and again after a failure", async () => {
    using folder = temporaryDirectory();
    const count = join(folder.path, "count");
    writeText(count, "");
    const command = `echo x >>${count}; test $(wc -l <${count}) -gt 1 || { echo locked >&2; exit 3; }; printf "$PREFIX-of-a-command\\n"`;
    const settings = { "api.example.com": { env: "EXAMPLE_KEY", command } };
    const environment = { PATH: process.env["PATH"], PREFIX: "key" };
    const [grant] = userCredentials(settings, { environment, outside: [] });
    expect(grant?.read()).rejects.toThrow("its command failed: locked");
    await grant?.read().catch(() => {});
    const keys = await Promise.all([grant?.read(), grant?.read()]);
    expect(keys.map((found) => found?.key)).toStrictEqual(["key-of-a-command", "key-of-a-command"]);
    expect(await Bun.file(count).text()).toBe("x\nx\n");
  });

  test("of a command that prints nothing is missing", async () => {
    expect(header({ command: "true" }, {})).rejects.toThrow("its command has no key");
  });

  test("of a command comes from no program where the agent may write", async () => {
    using agent = temporaryDirectory();
    writeText(join(agent.path, "bin/op"), "#!/bin/sh\necho key-of-the-stranger\n");
    chmodSync(join(agent.path, "bin/op"), 0o755);
    const environment = { PATH: `${agent.path}/bin:bin:.:${process.env["PATH"]}` };
    expect(header({ command: "op read x" }, environment, ["/other", agent.path])).rejects.toThrow("its command failed");
    expect(header({ command: "./bin/op" }, environment, ["/other", agent.path])).rejects.toThrow("its command failed");
  });

  test("of the keyring says what is missing", async () => {
    const problem = process.platform === "linux" ? "apt install libsecret-tools" : "is not installed";
    expect(header({ keyring: { service: "example" } }, { PATH: "/nowhere" })).rejects.toThrow(problem);
  });
});

const KEYRING = ["secret-tool", "gnome-keyring-daemon", "dbus-daemon"];

test.skipIf(KEYRING.some(requireProgram))(
  "a key of the system's keyring is found by its service and account",
  async () => {
    using home = temporaryDirectory();
    const base = { PATH: process.env["PATH"] ?? "", HOME: home.path, XDG_RUNTIME_DIR: home.path };
    const bus = Bun.spawn(["dbus-daemon", "--session", "--nofork", "--print-address"], { env: base, stderr: "ignore" });
    const address = new TextDecoder().decode((await bus.stdout.getReader().read()).value).trim();
    const environment = { ...base, DBUS_SESSION_BUS_ADDRESS: address };
    const keyring = Bun.spawn(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], {
      ...{ env: environment, stdin: new Blob(["password"]), stdout: "ignore", stderr: "ignore" },
    });
    try {
      const store = ["secret-tool", "store", "--label=test", "service", "example", "account", "me"];
      const stored = Bun.spawn(["timeout", "20", ...store], { env: environment, stdin: new Blob([KEY]) });
      expect(await stored.exited).toBe(0);
      expect(await header({ keyring: { service: "example", account: "me" } }, environment)).toEndWith(`Bearer ${KEY}`);
      expect(await header({ keyring: { service: "example" } }, environment)).toEndWith(`Bearer ${KEY}`);
      const other = header({ keyring: { service: "example", account: "you" } }, environment);
      expect(other).rejects.toThrow("the keyring failed: exit code 1");
      await other.catch(() => {});
    } finally {
      keyring.kill();
      bus.kill();
      await Promise.all([keyring.exited, bus.exited]);
    }
  },
);
