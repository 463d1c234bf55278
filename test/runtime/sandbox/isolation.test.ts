import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench } from "../../support/sandbox-bench.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** Of the administrator's privileges those over files: CHOWN, DAC_OVERRIDE, FOWNER and FSETID. */
const OVER_FILES = process.getuid?.() === 0 ? "000000000000001b" : "0000000000000000";

describe.skipIf(requireProgram("bwrap"))("a shell in the sandbox", () => {
  test("has no privilege but, of an administrator, over files, and gets none back", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("grep -E '^(CapPrm|CapEff|NoNewPrivs)' /proc/self/status | tr -d '[:blank:]'");
    expect(text).toBe(`CapPrm:${OVER_FILES}\nCapEff:${OVER_FILES}\nNoNewPrivs:1\n`);
  });

  test("is in a session of its own, so that it types nothing into the user's terminal", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("set -- $(cat /proc/$$/stat); [ $6 != 0 ] && echo own; : < /dev/tty");
    expect(text).toStartWith("own\n");
    expect(text).toContain("/dev/tty: No such device or address");
  });

  test("gets no variable that names a socket, such as that of the agent of SSH", async () => {
    const environment = { SSH_AUTH_SOCK: "/home/ssh.sock", DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus", EDITOR: "vi" };
    await using bench = openSandboxBench({ environment });
    const { text } = await bench.bash("echo $SSH_AUTH_SOCK$DBUS_SESSION_BUS_ADDRESS$EDITOR");
    expect(text).toBe("vi\n");
  });

  test("leaves no memory of a process behind in a core file", async () => {
    await using bench = openSandboxBench();
    expect(await bench.bash("ulimit -Hc")).toEqual({ text: "0\n", isError: false });
  });

  test("sees .env files empty, but those that are made to be copied", async () => {
    const names = [".env", ".env.local", ".env.production", ".env.example"];
    await using bench = openSandboxBench({ files: Object.fromEntries(names.map((name) => [name, `of ${name}\n`])) });
    expect(await bench.bash(`cat ${names.join(" ")}`)).toEqual({ text: "of .env.example\n", isError: false });
  });

  test("has a /tmp of its own, in which the sockets of other programs are not", async () => {
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
