import { describe, expect, test } from "bun:test";
import type { SandboxAccess } from "@mdx-ai/loop";
import { writeText } from "../../../test/support/agent-files.ts";
import { temporaryDirectory } from "../../../test/support/temporary-directory.ts";
import { blockedAccess, type CommandView } from "./blocked-access.ts";
import type { EndedCommand } from "./command-sandbox.ts";
import type { Mount } from "./mounts.ts";

const host = (name: string): SandboxAccess => ({ kind: "host", host: name });
const write = (path: string): SandboxAccess => ({ kind: "write", path });

/** A command in a writable /agent that has failed, beside which everything is read-only. */
const view = (more: Partial<CommandView> = {}): CommandView => ({
  ...{ purpose: "shell", hosts: [], problems: new Set(), refused: new Set(), hasWorkspace: false, cwd: "/agent" },
  mounts: new Map<string, Mount>([
    ["/agent", { kind: "writable" }],
    ["/agent/.git", { kind: "read-only" }],
    ["/tmp", { kind: "private", mode: "1777" }],
  ]),
  ...more,
});

const failed = (output: string): EndedCommand => ({ output, hasFailed: true });

/** What programs write about a path that is read-only, and the path. */
const OUTPUTS: readonly (readonly [output: string, path: string | undefined])[] = [
  ["touch: cannot touch '/srv/a b': Read-only file system", "/srv/a b"],
  ["touch: cannot touch '../x': Read-only file system", "/x"],
  ["can't touch '../x': Read-only file system", "/x"],
  ["/bin/bash: line 1: ../x: Read-only file system", "/x"],
  ["open /var/lib/x: read-only file system", "/var/lib/x"],
  ["java.io.FileNotFoundException: /srv/x/y.txt (Read-only file system)", "/srv/x/y.txt"],
  ["error: could not create home directory: '/srv/u/.rustup': Read-only file system (os error 30)", "/srv/u/.rustup"],
  ["error: could not lock config file .git/config: Read-only file system", "/agent/.git/config"],
  ["npm error EROFS: read-only file system, mkdir '/srv/app/node_modules'", "/srv/app/node_modules"],
  ["EROFS: read-only file system, copyfile '/usr/a' -> '/srv/c d'", "/srv/c d"],
  ["OSError: [Errno 30] Read-only file system: '../b'", "/b"],
  ["mv: cannot move '/agent/.git' to '/agent/git': Device or resource busy", "/agent/.git"],
  ["Caused by:\n  Read-only file system (os error 30)", undefined],
  ["touch: cannot touch '/agent/x': Read-only file system", undefined],
  ["x: Permission denied", undefined],
  ["/srv/x: a line without the error\nRead-only file system", undefined],
  ["", undefined],
];

describe("what a sandbox blocked", () => {
  test.each(OUTPUTS)("is the path to write that %j names", (output, path) => {
    expect(blockedAccess(failed(output), view())).toEqual(path === undefined ? undefined : write(path));
    expect(blockedAccess({ output, hasFailed: false }, view())).toBeUndefined();
  });

  test.each([
    ["error: gpg failed to sign the data\nfatal: failed to write commit object", true],
    ["error: unable to sign the tag", true],
    ["OSError: [Errno 97] Address family not supported by protocol", true],
    ["Error: listen EAFNOSUPPORT: address family not supported /tmp/tsx-0/9.pipe", true],
    ["error: Couldn't load public key /srv/id.pub: No such file or directory?", true],
    ["fatal: failed to write commit object", false],
  ])("is running outside, after %j", (output, isUnsigned) => {
    const command = "git commit -S -m x";
    const access = isUnsigned ? ({ kind: "outside", command } as const) : undefined;
    expect(blockedAccess({ command, output, hasFailed: true }, view())).toEqual(access);
    expect(blockedAccess({ command, output, hasFailed: false }, view())).toBeUndefined();
    // Tools run nothing outside.
    expect(blockedAccess({ output, hasFailed: true }, view())).toBeUndefined();
  });

  test("is a path of git's settings, named relative to the work tree", () => {
    const mounts = new Map<string, Mount>([...view().mounts, ["/agent/.git/config", { kind: "read-only" }]]);
    const output = "error: could not write config file .git/config: Device or resource busy";
    expect(blockedAccess(failed(output), view({ mounts, cwd: "/agent/sub/folder" }))).toEqual(
      write("/agent/.git/config"),
    );
  });

  test("is no host that only an output names", () => {
    const outputs = [
      "fatal: Failed to resolve 'head' as a valid ref.",
      "Could not resolve ./missing",
      "curl: (6) Could not resolve host: a.example",
    ];
    for (const output of outputs) expect(blockedAccess(failed(output), view())).toBeUndefined();
  });

  test("is first a host that the proxy refused, with any output and exit code", () => {
    const refused = new Set(["127.0.0.1:3128", "open.example", "a.example", "b.example:81"]);
    const output = "touch: cannot touch '../x': Read-only file system";
    for (const hasFailed of [true, false]) {
      expect(blockedAccess({ output, hasFailed }, view({ refused, hosts: ["open.example"] }))).toEqual(
        host("a.example"),
      );
    }
    expect(blockedAccess({ output, hasFailed: false }, view({ refused, hosts: "all" }))).toBeUndefined();
  });

  test("is never a host that only an output names", () => {
    for (const output of ["curl: (6) Could not resolve host: a.example", "getaddrinfo ENOTFOUND a.example"]) {
      expect(blockedAccess(failed(output), view())).toBeUndefined();
    }
  });

  test("is a hidden file or folder that exists, however the output names it", () => {
    using home = temporaryDirectory();
    for (const name of ["a.txt", "b c/d.txt"]) writeText(`${home.path}/${name}`, "");
    const mounts = new Map<string, Mount>([[home.path, { kind: "hidden-folder" }]]);
    const found = (output: string): unknown => blockedAccess(failed(output), view({ mounts }));
    const read = (name: string): unknown => ({ kind: "read", path: `${home.path}/${name}` });
    for (const output of [
      `cat: ${home.path}/a.txt: No such file or directory`,
      `Error: Cannot find module '${home.path}/a.txt'`,
      `see ${home.path}/a.txt.`,
      `(${home.path}/none ${home.path}/a.txt)`,
    ]) {
      expect(found(output)).toEqual(read("a.txt"));
    }
    expect(found(`ENOENT: no such file or directory, open '${home.path}/b c/d.txt'`)).toEqual(read("b c/d.txt"));
    expect(found(`${home.path}/none`)).toBeUndefined();
    expect(found("/usr/bin/env")).toBeUndefined();
  });

  test.each(["a", "EROFS ", "EROFS, x '", "'/", "'/a ", "/a/", "../"])(
    "is found at once in an output of nothing but %j",
    (part) => {
      const output = part.repeat(32_000 / part.length);
      // Its own processor time, to which a busy machine adds nothing.
      const before = process.cpuUsage();
      blockedAccess(failed(output), view());
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
    },
  );
});
