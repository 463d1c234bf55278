import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFiles } from "../support/agent-files.ts";
import { requireProgram } from "../support/require-program.ts";
import { openSandboxBench } from "../support/sandbox-bench.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const PRIVATE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "snap/chromium/common/chromium/Default/Cookies",
    ".var/app/org.mozilla.firefox/.mozilla/firefox/x/logins.json",
    ".config/Signal/config.json",
    ".config/Bitwarden/data.json",
    ".electrum/wallets/default_wallet",
    ".config/github-copilot/apps.json",
    ".fly/config.yml",
    "Documents/taxes.txt",
  ].map((path) => [path, "private\n"]),
);

const FIND = 'grep -rs private "$HOME" .. | wc -l';

describe.skipIf(requireProgram("bwrap"))("the home folder", () => {
  test("is hidden from commands and tools, with everything that programs keep there", async () => {
    await using bench = openSandboxBench();
    writeFiles(bench.home, PRIVATE);
    expect(await bench.bash(FIND)).toEqual({ text: "0\n", isError: false });
    const body = `return require("node:fs").readdirSync(process.env.HOME).filter((name) => name !== ".bun").join()`;
    expect(await bench.tool(body)).toEqual({ text: "agent", isError: false });
  });

  test("is hidden from a tool that names files of it, and if it is the current folder", async () => {
    await using bench = openSandboxBench({ cwd: "Documents" });
    writeFiles(bench.home, PRIVATE);
    const path = `${bench.home}/Documents/taxes.txt`;
    const files = { read: [path, `${bench.home}/**`], write: [`${bench.home}/.config/**`] };
    const body = `const read = (path) => { try { return require("node:fs").readFileSync(path, "utf8"); } catch { return "none"; } };
      return [${JSON.stringify(path)}, process.env.HOME + "/.config/Signal/config.json"].map(read).join();`;
    expect(await bench.tool(body, { files })).toEqual({ text: "none,none", isError: false });
    expect(await bench.bash(FIND)).toEqual({ text: "0\n", isError: false });
  });

  test("shows what the user's settings name, and lets that alone be written", async () => {
    await using bench = openSandboxBench({ read: ["Documents", ".fly/config.yml"], write: ["project"] });
    writeFiles(bench.home, { ...PRIVATE, "project/a.txt": "a" });
    const { text } = await bench.bash(
      `${FIND}; cd ~; echo b > project/a.txt; echo b > Documents/taxes.txt; cat project/a.txt`,
    );
    expect(text).toStartWith("4\n");
    expect(text).toContain("Documents/taxes.txt: Read-only file system");
    expect(text).toContain("\nb\n");
    expect(await Bun.file(join(bench.home, "project/a.txt")).text()).toBe("b\n");
  });

  test("shows no secret in a folder that the settings name, unless they name the secret", async () => {
    const secrets = { ".ssh/config": "private", ".aws/credentials": "private", "notes.txt": "shown" };
    await using bench = openSandboxBench({ read: [".", ".aws/credentials"] });
    writeFiles(bench.home, secrets);
    const { text } = await bench.bash("cd ~; cat .ssh/config; cat .aws/credentials; cat notes.txt");
    expect(text).toContain(".ssh/config: No such file");
    expect(text).toEndWith("privateshown");
  });

  test("that the settings let be written keeps the agent, its data and the secrets where they are", async () => {
    await using bench = openSandboxBench({ agent: "agents/one", data: "data/one", write: ["."] });
    const kept = { "data/one/state/memory.json": "[]", ".config/gh/hosts.yml": "private" };
    writeFiles(bench.home, { ...kept, "x/y": "" });
    await bench.bash("cd ~; for f in agents data/one data .config x; do mv $f moved-$(basename $f); done");
    const places = ["moved-x/y", "agents/one/agent.mdx", ...Object.keys(kept)];
    expect(places.filter((path) => !existsSync(join(bench.home, path)))).toStrictEqual([]);
  });

  test("can be written by programs, in the sandbox alone", async () => {
    await using bench = openSandboxBench();
    const { text } = await bench.bash(
      "mkdir -p ~/.cache/x && echo kept > ~/.cache/x/y && cat ~/.cache/x/y; umask 0; stat -c %a ~",
    );
    expect(text).toBe("kept\n700\n");
    expect(existsSync(join(bench.home, ".cache"))).toBe(false);
  });

  test("lets nothing be written beside an agent directory that is deeper in it, where it would be lost", async () => {
    await using bench = openSandboxBench({ agent: "agents/one" });
    const { text } = await bench.bash("echo x > ../two; echo x > here && ls ~ ..");
    expect(text).toContain("../two: Read-only file system");
    expect(text).toContain("..:\none\n");
    expect(existsSync(join(bench.home, "agents/one/here"))).toBe(true);
  });

  test("shows the toolchains that PATH names, without their keys, and other folders of PATH alone", async () => {
    using folder = temporaryDirectory();
    const files = {
      ".cargo/bin/tool": "#!/bin/sh\ncat ~/.rustup/data ~/.cargo/credentials.toml\n",
      ".cargo/credentials.toml": "private",
      ".rustup/data": "needed ",
      "bin/own": "#!/bin/sh\necho own; cat ~/bin/../notes.txt\n",
      "notes.txt": "private",
      ".pyenv/version": "private",
    };
    writeFiles(folder.path, files);
    for (const program of [".cargo/bin/tool", "bin/own"]) chmodSync(join(folder.path, program), 0o755);
    const PATH = [folder.path, `${folder.path}/.cargo/bin`, `${folder.path}/bin`, process.env["PATH"]].join(":");
    await using bench = openSandboxBench({ environment: { HOME: folder.path, PATH } });
    const { text } = await bench.bash("tool; own; ls -A ~; echo x > ~/bin/own");
    expect(text).toStartWith("needed ");
    expect(text).toContain("own\n");
    expect(text).not.toContain("private");
    expect(text).toContain(".cache\n.cargo\n.npm\n.rustup\nbin\n");
    expect(text).toContain("Read-only file system");
  });

  test("is found by the name of a link to it", async () => {
    await using bench = openSandboxBench({ ownHome: "link", cwd: "." });
    writeFiles(bench.home, { "real/notes.txt": "private\n" });
    symlinkSync("real", join(bench.home, "link"));
    expect(await bench.bash(`cd ~ && echo x > new && ls -A; ls -A ${bench.home}/real`)).toMatchObject({
      text: ".cache\n.npm\nnew\n.cache\n.npm\nnew\n",
    });
    expect(existsSync(join(bench.home, "real/new"))).toBe(false);
  });

  test("of other people is hidden; home folders of services and system folders are not", async () => {
    const accounts = { root: 0, alice: 1000, "service/x": 105, nobody: 65_534, "../../../../../..": 1001 };
    await using bench = openSandboxBench({ ownHome: "me", cwd: ".", accounts });
    writeFiles(bench.home, {
      ...Object.fromEntries(Object.keys(accounts).map((home) => [`${home.replaceAll(".", "x")}/file`, "private\n"])),
      "me/file": "private\n",
    });
    const { text } = await bench.bash(
      `cd ${bench.home}; cat */file service/*/file; echo x > alice/new; ls -d /usr/bin`,
    );
    expect(text.match(/private/g)?.length).toBe(2);
    expect(text).toContain("alice/new: Read-only file system");
    expect(text).toContain("/usr/bin");
  });

  test("of many people are hidden with the folder that they are in", async () => {
    const accounts = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`people/u${index}`, 1000 + index]));
    await using bench = openSandboxBench({ ownHome: "people/u3", cwd: ".", accounts });
    writeFiles(bench.home, Object.fromEntries(Object.keys(accounts).map((home) => [`${home}/file`, "private\n"])));
    const { text } = await bench.bash(
      `cd ${bench.home}; cat people/*/file; echo mine > ~/file && cat ~/file; ls people`,
    );
    expect(text).not.toContain("private");
    expect(text).toContain("mine\nu3\n");
  });
});
