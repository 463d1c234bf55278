import { describe, expect, test } from "bun:test";
import type { SandboxAccess } from "@mdx-ai/runtime";
import { type EndedCommand, heldBack } from "../../../packages/runtime/src/sandbox/held-back.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openSandboxBench } from "../../support/sandbox-bench.ts";

const ended = (ended: Partial<EndedCommand>): EndedCommand => ({
  ...{ command: "make", output: "", exitCode: 1, cwd: "/agent", hosts: [], refused: [], isWritable: () => false },
  ...ended,
});

const host = (name: string): SandboxAccess => ({ kind: "host", host: name });
const write = (path: string): SandboxAccess => ({ kind: "write", path });
const outside = (command = "make"): SandboxAccess => ({ kind: "outside", command });

/** What programs wrote that tests cannot count on, and what they were held back from. */
const OUTPUTS: readonly (readonly [output: string, held: SandboxAccess | undefined])[] = [
  ["Temporary failure resolving 'deb.debian.org'", host("deb.debian.org")],
  ["E: Could not resolve 'deb.debian.org'", host("deb.debian.org")],
  ["W: Could not connect to deb.debian.org:80 (1.2.3.4). - connect (111: Connection refused)", host("deb.debian.org")],
  ['Get "https://proxy.golang.org/x": dial tcp: lookup proxy.golang.org: no such host', host("proxy.golang.org")],
  ["dial tcp 127.0.0.1:5432: connect: connection refused", host("127.0.0.1:5432")],
  [
    "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded with url: / (Caused by NameResolutionError: Failed to resolve 'api.example.com' ([Errno -3] Temporary failure in name resolution))",
    host("api.example.com"),
  ],
  ["  [6] Could not resolve hostname (Could not resolve host: index.crates.io)", host("index.crates.io")],
  ["curl: (6) Could not resolve host: a.example", host("a.example")],
  [
    "  failed to resolve address for github.com: Temporary failure in name resolution; class=Net (12)",
    host("github.com"),
  ],
  ["curl: (7) Failed to connect to ::1 port 80 after 0 ms: Couldn't connect to server", outside()],
  ["Error: connect ECONNREFUSED 127.0.0.1:3000", host("127.0.0.1:3000")],
  ["curl: (7) Failed to connect to 127.0.0.1 port 3128 after 0 ms: Couldn't connect to server", outside()],
  ["Error: connect ECONNREFUSED 127.0.0.1:3128\nmdx-ai: localhost:3128 is not among the hosts", outside()],
  ["mdx-ai: b.example:80 is not among the hosts that may be reached (a.example)", host("b.example")],
  ["mdx-ai: b.example:8080 is not among the hosts that may be reached (a.example)", host("b.example:8080")],
  ["wget: unable to resolve host address ‘a.example’", host("a.example")],
  [
    "ssh: Could not resolve hostname github.com: Temporary failure in name resolution\nfatal: Could not read from remote repository.",
    outside(),
  ],
  ["open /var/lib/x: read-only file system", write("/var/lib/x")],
  ["java.io.FileNotFoundException: /srv/x/y.txt (Read-only file system)", write("/srv/x/y.txt")],
  [
    "error: could not create home directory: '/srv/u/.rustup': Read-only file system (os error 30)",
    write("/srv/u/.rustup"),
  ],
  ["sed: couldn't open temporary file /srv/sedq3il2t: Read-only file system", write("/srv/sedq3il2t")],
  ["tar: ../x.tar: Cannot open: Read-only file system", write("/x.tar")],
  ["/bin/bash: line 1: ../a b/c d.txt: Read-only file system", write("/a b/c d.txt")],
  ["./deploy: line 12: ../a b: Read-only file system", write("/a b")],
  ["/bin/sh: 1: cannot create ../a b: Read-only file system", write("/a b")],
  [
    String.raw`touch: cannot touch '../'$'\303\274''n'$'\303\257''/'$'\303\266': Read-only file system`,
    write("/ünï/ö"),
  ],
  [`touch: cannot touch "../it's": Read-only file system`, write("/it's")],
  [`touch: cannot touch '../quo"te': Read-only file system`, write('/quo"te')],
  [String.raw`touch: cannot touch '../a'$'\'''b': Read-only file system`, write("/a'b")],
  ["can't touch '../a b': Read-only file system", write("/a b")],
  [String.raw`touch: cannot touch '../ctl'$'\001\033''[31mx': Read-only file system`, outside()],
  [String.raw`touch: cannot touch '../new'$'\n''line': Read-only file system`, outside()],
  [String.raw`touch: cannot touch '../'$'\377': Read-only file system`, outside()],
  ["error: could not lock config file .git/config: Read-only file system", write("/agent/.git/config")],
  ["npm error EROFS: read-only file system, mkdir '/srv/app/node_modules'", write("/srv/app/node_modules")],
  ["EROFS: read-only file system, copyfile '/agent/a b' -> '/srv/c d'", write("/srv/c d")],
  ["OSError: [Errno 30] Read-only file system: 'a' -> '../b'", write("/b")],
  ["failed - SetupAPTPartialDirectory (30: Read-only file system)", outside()],
  ["Caused by:\n  Read-only file system (os error 30)", outside()],
  ["Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", outside()],
  ["PermissionError: [Errno 1] Operation not permitted: socket", outside()],
  ["Error: listen EAFNOSUPPORT: address family not supported /tmp/s.sock", outside()],
  ["OSError: [Errno 97] Address family not supported by protocol", outside()],
  ["strace: ptrace(PTRACE_TRACEME, ...): Operation not permitted", outside()],
  ["unshare: unshare failed: Operation not permitted", outside()],
  ["Failed to move to new namespace: but failed: errno = Operation not permitted", outside()],
  ["su: cannot set groups: Operation not permitted", outside()],
  ["chown: changing ownership of 'x': Operation not permitted", undefined],
  ["is not among the hosts that may be reached (a.example)", undefined],
  ["x: Permission denied", undefined],
  ["expected 403 Forbidden, got 200", undefined],
  ["", undefined],
];

describe("an output shows what was held back", () => {
  test.each(OUTPUTS)("%j", (output, held) => {
    expect(heldBack(ended({ output }))).toEqual(held);
  });

  test("which is what it names first and is not open", () => {
    const output = "touch: cannot touch '../x': Read-only file system\nCould not resolve host: a.example";
    expect(heldBack(ended({ output }))).toEqual(write("/x"));
    expect(heldBack(ended({ output, isWritable: () => true }))).toEqual(host("a.example"));
    expect(heldBack(ended({ output, isWritable: () => true, hosts: ["a.example"] }))).toEqual(outside());
  });

  test("which is a hidden file that it missed, if it names neither a host nor a path to write", () => {
    const missed = { kind: "read", path: "/home/me/a" } as const;
    const absent = "cat: /home/me/a: No such file or directory";
    expect(heldBack(ended({ output: absent, missed }))).toEqual(missed);
    expect(heldBack(ended({ output: `${absent}\ntouch: cannot touch '/x': Read-only file system`, missed }))).toEqual(
      write("/x"),
    );
    expect(heldBack(ended({ output: `${absent}\nCould not resolve host: a.example`, missed }))).toEqual(
      host("a.example"),
    );
    expect(heldBack(ended({ output: `${absent}\nCaused by:\n  Read-only file system`, missed }))).toEqual(missed);
  });

  test("with the port of the address that the command names", () => {
    const output = "curl: (6) Could not resolve host: a.example";
    expect(heldBack(ended({ output, command: "curl https://a.example:8443/x" }))).toEqual(host("a.example:8443"));
  });

  test("in the folder that the command enters first", () => {
    const output = "touch: cannot touch '../../x': Read-only file system";
    expect(heldBack(ended({ output, command: "cd 'a b' && touch ../../x" }))).toEqual(write("/x"));
  });

  test.each([
    'cd "/srv/a b" && touch x',
    "cd /srv && cd 'a b'; touch x",
    "(cd '/srv/a b' && touch x)",
    "true; pushd '/srv/a b' && touch x",
  ])("in the last folder that it enters: %s", (command) => {
    const output = "touch: cannot touch 'x': Read-only file system";
    expect(heldBack(ended({ output, command }))).toEqual(write("/srv/a b/x"));
  });

  test("and never in a folder where it can write: it wrote elsewhere", () => {
    const output = "touch: cannot touch 'x': Read-only file system";
    const isWritable = (path: string): boolean => path === "/agent/x";
    const entered = "cd /srv && touch x; cd /agent";
    expect(heldBack(ended({ output, command: entered, isWritable }))).toEqual(write("/srv/x"));
    const unknown = 'cd "$FOLDER" && touch x';
    expect(heldBack(ended({ output, command: unknown, isWritable }))).toEqual(outside(unknown));
  });

  test("or what the proxy refused, or the address in the command, if it names nothing", () => {
    const output = "ERROR: No matching distribution found for x";
    expect(heldBack(ended({ output, hosts: ["a.example"], refused: ["pypi.org"] }))).toEqual(host("pypi.org"));
    expect(heldBack(ended({ hosts: ["a.example"], refused: ["127.0.0.1:3128", "b.example"] }))).toEqual(
      host("b.example"),
    );
    expect(heldBack(ended({ command: "curl -s http://127.0.0.1:3128/", exitCode: 7 }))).toBeUndefined();
    expect(heldBack(ended({ command: "curl -s https://b.example/", exitCode: 6 }))).toEqual(host("b.example"));
    expect(
      heldBack(ended({ command: "curl -s https://b.example/", exitCode: 56, hosts: ["b.example"] })),
    ).toBeUndefined();
    expect(heldBack(ended({ command: "other https://b.example/", exitCode: 6 }))).toBeUndefined();
  });

  test.each([
    "a",
    "EROFS ",
    "EROFS, x '",
    ": Read-only file system'",
    "socket",
    "setuid",
    "http://a",
    "a.",
    "'a'",
    "$'a",
    "cd a;",
  ])("at once, though it is nothing but %j", (part) => {
    const output = part.repeat(32_000 / part.length);
    // Its own processor time, to which a busy machine adds nothing.
    const before = process.cpuUsage();
    heldBack(ended({ output, command: output }));
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  test("but no host where all are reached", () => {
    expect(heldBack(ended({ output: "Could not resolve host: a.example", hosts: "all" }))).toBeUndefined();
  });
});

/** Commands, and the host or the path, from the folder of the agent, that they are held back from. */
const COMMANDS: readonly (readonly [program: string, command: string, kind: "host" | "write", what: string])[] = [
  ["curl", "curl -s http://127.0.0.1:8080/x", "host", "127.0.0.1:8080"],
  ["curl", "curl -sS https://example.com:8443/", "host", "example.com:8443"],
  ["wget", "wget -q https://example.com", "host", "example.com"],
  ["wget", "wget https://example.com", "host", "example.com"],
  ["wget", "wget http://127.0.0.1:99/", "host", "127.0.0.1:99"],
  ["git", "git clone https://github.com/a/b", "host", "github.com"],
  ["node", 'node -e "fetch(\\"https://example.com\\")"', "host", "example.com"],
  ["python3", 'python3 -c "import urllib.request as u; u.urlopen(\\"https://example.com\\")"', "host", "example.com"],
  ["touch", "touch ../x", "write", "x"],
  ["bash", "echo 1 > ../x", "write", "x"],
  ["mkdir", "mkdir ../x", "write", "x"],
  ["cp", "cp agent.mdx ../x", "write", "x"],
  ["tar", "tar cf ../x.tar agent.mdx", "write", "x.tar"],
  ["git", "git init ../x", "write", "x"],
  ["git", "git config --file ../x a.b c", "write", "x"],
  ["node", 'node -e "require(\\"fs\\").mkdirSync(\\"../x\\")"', "write", "x"],
  ["python3", 'python3 -c "open(\\"../x\\", \\"w\\")"', "write", "x"],
];

describe.skipIf(requireProgram("bwrap"))("a real program in a sandbox", () => {
  test("names what it was held back from", async () => {
    await using bench = openSandboxBench({ ownHome: "me", cwd: "." });
    for (const [program, command, kind, what] of COMMANDS.filter(([name]) => Bun.which(name) !== null)) {
      const { text } = await bench.bash(command);
      const denied = kind === "host" ? `reaching ${what}` : `writing ${bench.home}/${what}`;
      expect(`${program}: ${text}`).toContain(`[the sandbox prevented ${denied}: it lets commands `);
    }
  }, 60_000);

  test("that installs packages ends within seconds without a network, and its registry is named", async () => {
    await using bench = openSandboxBench({ files: { "part/package.json": "{}" } });
    const installs = [
      ["npm", "cd part && npm install x-that-is-nowhere", "registry.npmjs.org"],
      ["pip", "pip download --index-url https://pypi.org/simple -d /tmp x-that-is-nowhere", "pypi.org"],
    ] as const;
    for (const [, command, registry] of installs.filter(([name]) => Bun.which(name) !== null)) {
      const { text } = await bench.bash(command, 25);
      expect(text).toContain(`[the sandbox prevented reaching ${registry}: `);
      expect(text).not.toContain("killed: it was not done");
    }
  }, 60_000);

  test("is refused by the proxy, which names the host of a program that says nothing", async () => {
    await using bench = openSandboxBench({ network: ["a.example"] });
    const { text } = await bench.bash("curl -s -o /dev/null $(printf %s https:// b.example); false");
    expect(text).toEndWith(
      "[exit code 1]\n[the sandbox prevented reaching b.example: it lets commands reach only a.example; the setting sandbox.network names hosts, and --sandbox off runs commands without it]",
    );
  });
});
