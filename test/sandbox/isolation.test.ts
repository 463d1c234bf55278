import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Of the administrator's privileges those over files: CHOWN, DAC_OVERRIDE, FOWNER and FSETID. */
const OVER_FILES = process.getuid?.() === 0 ? "000000000000001b" : "0000000000000000";

describe.skipIf(requireProgram("bwrap"))("a shell in the sandbox", () => {
  test("has no privilege but, of an administrator, over files, and gets none back", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("grep -E '^(CapPrm|CapEff|NoNewPrivs)' /proc/self/status | tr -d '[:blank:]'");
    expect(text).toBe(`CapPrm:${OVER_FILES}\nCapEff:${OVER_FILES}\nNoNewPrivs:1\n`);
  });

  test("gets no variable that names a socket, such as the SSH agent's", async () => {
    const environment = { SSH_AUTH_SOCK: "/home/ssh.sock", DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus", EDITOR: "vi" };
    await using bench = openSandboxBench({ environment });
    const { text } = await bench.bash("echo $SSH_AUTH_SOCK$DBUS_SESSION_BUS_ADDRESS$EDITOR");
    expect(text).toBe("vi\n");
  });

  test("sees .env files empty, but those that are made to be copied", async () => {
    const names = [".env", ".env.local", ".env.production", "apps/web/.env", ".env.example", "apps/web/.env.dist"];
    await using bench = openSandboxBench({ files: Object.fromEntries(names.map((name) => [name, `of ${name}\n`])) });
    expect(await bench.bash(`cat ${names.join(" ")}; mv apps/web/.env x; mv apps other; cat */*/.env`)).toMatchObject({
      text: expect.stringMatching(/^of .env.example\nof apps\/web\/.env.dist\n(?!.*of )/s),
    });
  });

  test("sees .env files of the current folder empty, also where the settings let it be written", async () => {
    await using bench = openSandboxBench({ cwd: "project", write: ["project"] });
    writeFiles(bench.home, { "project/a/.env": "a key", "project/a/b.txt": "b\n" });
    const { text } = await bench.bash(`cd ${bench.home}/project/a && cat .env b.txt`);
    expect(text).toStartWith(`b\n[the sandbox hides ${bench.home}/project/a/.env, which looks empty: `);
  });

  test("sees neither the journals nor the logs of the agent", async () => {
    const files = { "sessions/other/journal.jsonl": "said", "logs/x.log": "said" };
    await using bench = openSandboxBench({ files });
    const { text } = await bench.bash(
      "ls -A sessions logs; cat sessions/other/*; echo x > sessions/x; echo x > logs/x",
    );
    expect(text).not.toContain("said");
    expect(text.match(/Read-only file system\n/g)).toHaveLength(2);
  });

  test("has a separate /tmp without the sockets of other programs", async () => {
    using folder = temporaryDirectory();
    mkdirSync(join(folder.path, "other"));
    const unix = join(folder.path, "other/socket");
    using _server = Bun.listen({ unix, socket: { data: () => {} } });
    await using bench = openSandboxBench();
    const name = `of-a-sandbox-${crypto.randomUUID()}`;
    const { text } = await bench.bash(`echo mine > /tmp/${name}; cat /tmp/${name}; find /tmp /var/tmp /run -type s`);
    expect([existsSync(unix), text]).toEqual([true, "mine\n"]);
    expect(existsSync(`/tmp/${name}`)).toBe(false);
  });
});

test.skipIf(requireProgram("bwrap")).each([["data/users/bob"], ["data"]])(
  "data in %s: the records of other users are hidden",
  async (data) => {
    await using bench = openSandboxBench({ data, read: ["data"] });
    const path = "data/users/alice/sessions/main/journal.jsonl";
    writeFiles(bench.home, { [path]: "a secret of Alice" });
    const { text } = await bench.bash(`cat ${join(bench.home, path)}; ls ${join(bench.home, "data/users")}`);
    expect(text).not.toContain("a secret of Alice");
    expect(text).toContain("alice\n");
  },
);
