import { describe, expect, test } from "bun:test";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";

const toCommands = (path: string): string =>
  `[the sandbox prevented writing ${path}: it lets commands write only to /tmp and to the agent directory, except the files that define or record the agent; the setting sandbox.write names more paths, write_file can ask the user for others, and --sandbox off runs commands without it]`;
const toTools = (path: string): string =>
  `[the sandbox prevented writing ${path}: it lets tools write only to /tmp and to the agent directory, except the files that define or record the agent]`;

describe.skipIf(requireProgram("bwrap"))("what the sandbox blocks is explained", () => {
  test("to a command that writes outside the agent directory, with any exit code", async () => {
    await using bench = openSandboxBench();
    const { text, isError } = await bench.bash("touch /usr/beside; echo on");
    expect(text).toEndWith(`: Read-only file system\non\n${toCommands("/usr/beside")}`);
    expect(isError).toBe(false);
  });

  test("behind the exit code of a command that failed", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("echo 1 > agent.mdx");
    expect(text).toEndWith(`Read-only file system\n[exit code 1]\n${toCommands(`${bench.directory}/agent.mdx`)}`);
  });

  test("to a command that creates what must not exist: an empty folder is in its way, whatever a program calls that", async () => {
    await using bench = openSandboxBench({ files: { "data/a.txt": "a" } });
    const place = (name: string): string => `${bench.directory}/${name}`;
    const { text } = await bench.bash("echo x > heartbeat.md; mkdir modules; echo x > heartbeat.md");
    expect(text).toEndWith(`\n${toCommands([place("heartbeat.md"), place("modules")].join(", "))}`);
    const script = `require("fs").writeFileSync("agent.lock.json", "{}")`;
    const written = await bench.bash(`'${process.execPath}' -e '${script}'`);
    expect(written.text).toContain("EISDIR");
    expect(written.text).toEndWith(toCommands(place("agent.lock.json")));
    // A folder of the user's is no placeholder.
    expect((await bench.bash("cat data")).text).not.toContain("[the sandbox");
  });

  test("to a command that copies a file to what must not exist: nothing is written where it would be lost", async () => {
    await using bench = openSandboxBench();
    const names = ["AGENT.md", "heartbeat.md", "modules"];
    const copies = names.map((name) => `cp f ${name}`).join("; ");
    const { text } = await bench.bash(`echo x > f; ${copies}; ls -A ${names.join(" ")}`);
    expect(text.match(/^cp: cannot create/gm)).toHaveLength(3);
    expect(text).toContain("\nAGENT.md:\n\nheartbeat.md:\n\nmodules:\n[the sandbox");
    // An ordinary user's error does not show that the system is read-only.
    expect(text).toEndWith(toCommands(names.map((name) => `${bench.directory}/${name}`).join(", ")));
  });

  test("to a command that asks several hosts: each is named once, ten at most", async () => {
    await using bench = openSandboxBench({ network: ["open.example"] });
    const asked = (hosts: readonly string[]): string =>
      hosts.map((name) => `curl -s -o /dev/null http://${name}/`).join("; ");
    const { text } = await bench.bash(`${asked(["a.example", "b.example", "a.example"])}; exit 1`);
    expect(text).toContain(
      "\n[the sandbox prevented reaching a.example, b.example: it lets commands reach only open.example;",
    );
    const many = Array.from({ length: 13 }, (_, index) => `h${index}.example`);
    expect((await bench.bash(asked(many))).text).toContain(
      `reaching ${many.slice(0, 10).join(", ")} and 3 more: it lets`,
    );
    const both = await bench.bash(`${asked(["a.example"])}; touch /usr/beside`);
    expect(both.text).toContain("[the sandbox prevented reaching a.example: ");
    expect(both.text).toContain("[the sandbox prevented writing /usr/beside: ");
  });

  test("to a command that uses no proxy: nothing names the host", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("curl -sS --noproxy '*' http://127.0.0.1:9/; echo 'lookup a.example: EAI_AGAIN'");
    expect(text).toEndWith(
      "\n[the sandbox lets commands reach no network and no services of this machine; the setting sandbox.network names hosts, and --sandbox off runs commands without it]",
    );
  });

  test("to a tool that writes outside the agent directory, behind the place in its code", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.tool('await Bun.write("/usr/beside", "x");');
    expect(text).toMatch(/^EROFS: .*\n\[/);
    expect(text).toEndWith(`\n${toTools("/usr/beside")}`);
  });

  test("to a tool whose `files` or `network` is in its way", async () => {
    await using bench = openSandboxBench({ files: { "data/a.txt": "a" } });
    const files = { read: ["data/**"], write: [] };
    const writing = await bench.tool('await Bun.write(ctx.agentDir + "/data/b.txt", "x");', { files });
    expect(writing.text).toEndWith(": it lets this tool write only what its `files` names, and /tmp]");
    const proxied = await bench.tool('await fetch("https://b.example/");', { network: ["a.example"] });
    expect(proxied.text).toEndWith(
      "\n[the sandbox prevented reaching b.example: it lets this tool reach only a.example]",
    );
    const refused = await bench.tool('throw new Error("ECONNREFUSED");', { network: ["a.example", "b.example"] });
    expect(refused.text).toEndWith("\n[the sandbox lets this tool reach only a.example, b.example]");
  });

  test("to a command that looks for a file in a hidden folder, whether it exists or not", async () => {
    await using bench = openSandboxBench({ ownHome: "me", user: { deny: ["read_file(private/**)"] } });
    writeFiles(bench.home, { "me/notes.txt": "seen by nobody", "agent/private/a.txt": "denied" });
    const seen =
      "the setting sandbox.read names what commands and tools see there, unless the permissions deny it; read_file can ask the user, and --sandbox off runs commands without it]";
    const own = (place: string): string => `[the sandbox has a ${place} of its own, without your files: ${seen}`;
    const hides = (place: string): string => `[the sandbox hides ${place}: ${seen}`;
    const cases = [
      ["cat ~/notes.txt | head", own(`${bench.home}/me`)],
      ["ls ~/nowhere", own(`${bench.home}/me`)],
      ["echo $(< ~/a/b)", own(`${bench.home}/me`)],
      ["cd ~/a && cat b", own(`${bench.home}/me`)],
      ["ls '/tmp/a b'", own("/tmp")],
      ["cat /run/x.sock", hides("/run")],
      ["cat private/a.txt", hides(`${bench.directory}/private`)],
      ['python3 -c "open(\\"/var/tmp/x\\")"', own("/var/tmp")],
    ] as const;
    for (const [command, note] of cases) {
      const { text } = await bench.bash(command);
      expect(`${command}: ${text.trimEnd()}`).toEndWith(`\n${note}`);
      expect(text.match(/\[the sandbox/g)).toHaveLength(1);
    }
  });

  test("to a command that names a file which looks empty, wherever it stands", async () => {
    await using bench = openSandboxBench({ workspace: "work" });
    writeFiles(bench.home, { "work/.env": "KEY=1", "work/sub/a.txt": "a" });
    const note = `[the sandbox hides ${bench.home}/work/.env, which looks empty: the setting sandbox.read names what commands and tools see there, unless the permissions deny it; read_file can ask the user]`;
    for (const command of ["cat .env", "cd sub && cat ../.env", `grep KEY '${bench.home}/work/.env'`]) {
      expect((await bench.bash(command)).text).toEndWith(note);
    }
    for (const command of ["ls -A", "cat sub/a.txt", "cat .env.example"]) {
      expect((await bench.bash(command)).text).not.toContain("looks empty");
    }
  });

  test("to a command that needs what the user downloaded: it is read, or its folder is named", async () => {
    await using bench = openSandboxBench({ ownHome: "me" });
    writeFiles(bench.home, {
      ...{ "me/.m2/repository/a.pom": "pom\n", "me/.m2/settings.xml": "", "me/.gradle/caches/modules-2/a": "jar\n" },
      ...{ "me/.cargo/registry/a": "crate\n", "me/go/pkg/mod/a": "module\n", "me/.cache/tool/a": "", "me/.npm/a": "" },
    });
    const read = "cd ~; cat .m2/repository/a.pom .gradle/caches/modules-2/a .cargo/registry/a go/pkg/mod/a";
    expect((await bench.bash(read)).text).toBe("pom\njar\ncrate\nmodule\n");
    const own = (name: string): string =>
      `[the sandbox has a ${bench.home}/me/${name} of its own, without your files: `;
    const cases = [
      ["cat ~/.cache/tool/a", ".cache"],
      ["ls ~/.npm/a", ".npm"],
      ["echo npm error code ENOTCACHED; false", ".npm"],
      ["echo a:b:pom:1 has not been downloaded from it before.; exit 1", ".cache"],
    ] as const;
    for (const [command, folder] of cases) expect((await bench.bash(command)).text).toContain(own(folder));
    expect((await bench.bash("cat ~/.m2/settings.xml")).text).toContain(`[the sandbox hides ${bench.home}/me/.m2: `);
    expect((await bench.bash("echo ENOTCACHED")).text).toBe("ENOTCACHED\n");
  });

  test("to a command that cannot sign", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash("echo error: gpg failed to sign the data; exit 128");
    expect(text).toEndWith(
      "[the sandbox hides your keys and the programs that hold them, so commands in it cannot sign; --sandbox off runs commands without it]",
    );
  });

  test("to a command or a tool that makes a socket in the file system", async () => {
    await using bench = openSandboxBench();
    const note = "[the sandbox lets programs use the network and pairs of sockets, but no sockets in the file system";
    const script = 'import socket; socket.socket(socket.AF_UNIX).bind("s.sock")';
    if (!requireProgram("python3")) {
      expect((await bench.bash(`python3 -c '${script}'`)).text).toEndWith(
        `\n${note}; --sandbox off runs commands without it]`,
      );
    }
    expect((await bench.tool('throw new Error("listen EAFNOSUPPORT");')).text).toEndWith(`\n${note}]`);
  });

  test("to a tool that looks for a file in one", async () => {
    await using bench = openSandboxBench({ ownHome: "me", files: { "data/a.txt": "a" } });
    const body = `await Bun.file("/tmp/nowhere/x").text();`;
    const note = "[the sandbox has a /tmp of its own, without your files: ";
    expect((await bench.tool(body)).text).toEndWith(
      `${note}the setting sandbox.read names what commands and tools see there, unless the permissions deny it]`,
    );
    const files = { read: ["data/**"], write: [] };
    expect((await bench.tool(body, { files })).text).toEndWith(`${note}this tool sees what its \`files\` names]`);
  });

  test("and nothing is said of a file that is missing where files are seen, nor of a cache", async () => {
    await using bench = openSandboxBench({ ownHome: "me" });
    writeFiles(bench.home, { "me/notes.txt": "" });
    for (const command of [
      "cat nowhere",
      "cat /usr/nowhere",
      "cat ~/.cache/nowhere",
      "echo No such file or directory",
    ]) {
      expect((await bench.bash(command)).text).not.toContain("[the sandbox");
    }
  });

  test("and nothing is said where nothing was held back, nor of a network that is open", async () => {
    await using bench = openSandboxBench({ network: "all" });
    expect((await bench.bash("echo fine")).text).toBe("fine\n");
    expect((await bench.bash("echo 'Network is unreachable'")).text).toBe("Network is unreachable\n");
    expect((await bench.tool('throw new Error("EAI_AGAIN");')).text).not.toContain("[the sandbox");
    expect((await bench.tool('return "a page: Read-only file system";')).text).toBe("a page: Read-only file system");
  });

  test("nor where nothing is contained", async () => {
    await using bench = openSandboxBench({ mode: "off" });
    const { text } = await bench.bash("echo 'x: Read-only file system'");
    expect(text).toBe("x: Read-only file system\n");
  });
});
