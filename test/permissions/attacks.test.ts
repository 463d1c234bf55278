import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type PermissionBench, permissionBench, reading, writing } from "../support/permission-bench.ts";

/** Nobody can be asked: what is asked about is denied. */
const NOT_RUN = /^not run: /;
const CHANGED = /changed between the check and the use, and was not accessed$/;

/** What is done, the path, what the model receives, and what is there before. */
type Case = readonly [what: string, path: string, reported: RegExp, prepare?: (bench: PermissionBench) => void];

const prepared = ([what, path, reported, prepare = () => {}]: Case) => [what, path, reported, prepare] as const;

describe("reading", () => {
  const cases: readonly Case[] = [
    ["by `../` what is outside: denied", "../outside/secret", NOT_RUN],
    ["by `../` through a folder inside: denied", "in/../../outside/secret", NOT_RUN],
    ["by `../` and back what is inside: read", "../agent/a.txt", /^inside$/],
    ["in a folder whose name begins like the agent's: denied", "../agent-evil/secret", NOT_RUN],
    [
      "through a link from inside to outside: denied",
      "link",
      NOT_RUN,
      ({ agentDir }) => symlinkSync("../outside/secret", join(agentDir, "link")),
    ],
    [
      "through a linked folder: denied",
      "door/secret",
      NOT_RUN,
      ({ agentDir }) => symlinkSync("../outside", join(agentDir, "door")),
    ],
    [
      "through links to links: denied",
      "one",
      NOT_RUN,
      ({ agentDir }) => {
        symlinkSync("two", join(agentDir, "one"));
        symlinkSync("../outside/secret", join(agentDir, "two"));
      },
    ],
    [
      "through a link from outside to inside: read",
      "../outside/back",
      /^inside$/,
      ({ agentDir, path }) => symlinkSync(join(agentDir, "a.txt"), join(path, "outside/back")),
    ],
    ["the agent's own environment: denied", "/proc/self/environ", NOT_RUN],
    ["that of the thread: denied", "/proc/thread-self/environ", NOT_RUN],
    ["that of the parent process: denied", `/proc/${process.ppid}/environ`, NOT_RUN],
    ["its memory: denied", "/proc/self/mem", NOT_RUN],
    ["all files through the root of a process: denied", "/proc/self/root/etc/passwd", NOT_RUN],
    ["an open file of the agent's: denied", "/proc/self/fd/0", NOT_RUN],
    ["a device: denied", "/dev/zero", NOT_RUN],
    ["a link to a device: denied", "null", NOT_RUN, ({ agentDir }) => symlinkSync("/dev/zero", join(agentDir, "null"))],
    [
      "a pipe: reported at once as none to read",
      "pipe",
      /is a named pipe, not a regular file/,
      ({ agentDir }) => {
        expect(Bun.spawnSync(["mkfifo", join(agentDir, "pipe")]).exitCode).toBe(0);
      },
    ],
    [
      "a file of 1 GB: reported at once as binary",
      "huge",
      /is a binary file/,
      ({ agentDir }) => {
        writeFileSync(join(agentDir, "huge"), "");
        truncateSync(join(agentDir, "huge"), 1024 ** 3);
      },
    ],
    ["a folder outside: denied, its names are not shown", "../outside", NOT_RUN],
    ["a name with a null character: denied", "a.txt\0", /^not run: .* contains a null character/],
    ["a name of 5,000 characters: not read", "x".repeat(5_000), /is too long for a path/],
    ["a name that looks like home: a file of the agent's", "~/.ssh/id", /does not exist/],
  ];
  test.each(cases.map(prepared))("%s", async (_what, path, reported, prepare) => {
    using bench = permissionBench();
    bench.put("agent/a.txt", "inside");
    bench.put("outside/secret", "SECRET");
    bench.put("agent-evil/secret", "SECRET");
    prepare(bench);
    const result = await bench.run(reading(path));
    expect(result).toMatch(reported);
    expect(result).not.toContain("SECRET");
  });
});

describe("writing", () => {
  const cases: readonly Case[] = [
    ["by `../` outside: denied", "../outside/x", NOT_RUN],
    [
      "through a linked folder: denied",
      "door/x",
      NOT_RUN,
      ({ agentDir }) => symlinkSync("../outside", join(agentDir, "door")),
    ],
    [
      "through a link to nothing outside: denied",
      "door",
      NOT_RUN,
      ({ agentDir }) => symlinkSync("../outside/x", join(agentDir, "door")),
    ],
    [
      "through a link onto agent.mdx: denied",
      "door",
      NOT_RUN,
      ({ agentDir }) => symlinkSync("agent.mdx", join(agentDir, "door")),
    ],
    [
      "through a linked folder into modules: denied",
      "door/x.ts",
      NOT_RUN,
      ({ agentDir }) => {
        mkdirSync(join(agentDir, "modules"));
        symlinkSync("modules", join(agentDir, "door"));
      },
    ],
    ["agent.mdx by a long way round: denied", "a/.././/agent.mdx", NOT_RUN],
    ["a device: denied", "/dev/null", NOT_RUN],
    ["the environment of a process: denied", "/proc/self/environ", NOT_RUN],
    ["a name with a null character: denied", "a\0", NOT_RUN],
    [
      "onto a pipe: reported at once as none to write",
      "pipe",
      /is a device or pipe/,
      ({ agentDir }) => {
        expect(Bun.spawnSync(["mkfifo", join(agentDir, "pipe")]).exitCode).toBe(0);
      },
    ],
    ["the keys of the user: denied", "../home/.ssh/authorized_keys", NOT_RUN],
    ["what mdx-ai trusts: denied", "../home/.local/state/mdx-ai/trust.json", NOT_RUN],
    ["the user's settings: denied", "../home/.config/mdx-ai/settings.yaml", NOT_RUN],
  ];
  test.each(cases.map(prepared))("%s", async (_what, path, reported, prepare) => {
    using bench = permissionBench();
    bench.put("agent/agent.mdx", "# Agent: A");
    mkdirSync(join(bench.path, "outside"));
    prepare(bench);
    expect(await bench.run(writing(path))).toMatch(reported);
    expect(readFileSync(join(bench.agentDir, "agent.mdx"), "utf8")).toBe("# Agent: A");
    expect(readdirSync(join(bench.path, "outside"))).toStrictEqual([]);
    expect(readdirSync(bench.home)).toStrictEqual([]);
  });
});

describe("a name", () => {
  const names = [
    ["with a new line", "two\nlines"],
    ["with a leading dash", "-rf"],
    ["with text from right to left", "a\u202etxt.exe"],
    ["of wildcards", "*?[a]{b}\\"],
    ["of blanks", "  "],
    ["with a quote", "'\"`$(x)"],
  ] as const;
  test.each(names)("%s is written and read as it is", async (_what, name) => {
    using bench = permissionBench();
    expect(await bench.run(writing(name, "text"))).toStartWith("created ");
    expect(readdirSync(bench.agentDir)).toStrictEqual([name]);
    expect(await bench.run(reading(name))).toBe("text");
  });

  test.each(names)("%s is no way around a rule, and outside it is asked about", async (_what, name) => {
    using bench = permissionBench();
    expect(await bench.judge(reading(`../outside/${name}`))).toBe("ask");
    expect(await bench.judge(reading(`private/${name}`), { user: { deny: ["read_file(private/**)"] } })).toContain(
      "denies",
    );
  });
});

describe("a path that changes between the check and the use", () => {
  const allowed = async (bench: PermissionBench, call: ReturnType<typeof reading>): Promise<void> => {
    expect(await bench.judge(call)).toBe("allow");
  };

  test("a link that points outside by then: not read", async () => {
    using bench = permissionBench();
    bench.put("agent/a.txt", "inside");
    bench.put("outside/secret", "SECRET");
    symlinkSync("a.txt", join(bench.agentDir, "link"));
    const call = reading("link");
    await allowed(bench, call);
    rmSync(join(bench.agentDir, "link"));
    symlinkSync("../outside/secret", join(bench.agentDir, "link"));
    expect(await bench.execute(call)).toMatch(CHANGED);
  });

  test("a file that is a link by then: not read", async () => {
    using bench = permissionBench();
    bench.put("outside/secret", "SECRET");
    const call = reading("later");
    await allowed(bench, call);
    symlinkSync("../outside/secret", join(bench.agentDir, "later"));
    expect(await bench.execute(call)).toMatch(CHANGED);
  });

  test("a folder that is a link by then: neither read, nor listed, nor written to", async () => {
    using bench = permissionBench();
    bench.put("agent/in/a.txt", "inside");
    bench.put("outside/a.txt", "SECRET");
    const calls = [reading("in/a.txt"), reading("in"), writing("in/a.txt"), writing("in/new/b.txt")];
    for (const call of calls) await allowed(bench, call);
    renameSync(join(bench.agentDir, "in"), join(bench.agentDir, "moved"));
    symlinkSync("../outside", join(bench.agentDir, "in"));
    for (const call of calls) expect(await bench.execute(call)).toMatch(CHANGED);
    expect(readFileSync(join(bench.path, "outside/a.txt"), "utf8")).toBe("SECRET");
    expect(readdirSync(join(bench.path, "outside"))).toStrictEqual(["a.txt"]);
  });

  test("a file that is a link by then: not written through", async () => {
    using bench = permissionBench();
    bench.put("outside/a.txt", "old");
    const call = writing("a.txt");
    await allowed(bench, call);
    symlinkSync("../outside/a.txt", join(bench.agentDir, "a.txt"));
    expect(await bench.execute(call)).toMatch(CHANGED);
    expect(readFileSync(join(bench.path, "outside/a.txt"), "utf8")).toBe("old");
  });

  test("a missing folder that is a link to nothing outside by then: not made there", async () => {
    using bench = permissionBench();
    mkdirSync(join(bench.path, "outside"));
    const call = writing("new/deep/a.txt");
    await allowed(bench, call);
    symlinkSync("../outside/made", join(bench.agentDir, "new"));
    expect(await bench.execute(call)).not.toStartWith("created");
    expect(existsSync(join(bench.path, "outside/made"))).toBe(false);
  });
});
