import { describe, expect, test } from "bun:test";
import { type MacosPolicy, macosProfile } from "../../../packages/runtime/src/sandbox/macos-profile.ts";
import type { Mount } from "../../../packages/runtime/src/sandbox/mounts.ts";

const AGENT = "/Users/me/agent";

function policy(mounts: Readonly<Record<string, Mount>>, more: Partial<MacosPolicy> = {}): MacosPolicy {
  const temporary = "/private/var/folders/x/T/own";
  return { mounts: new Map(Object.entries(mounts)), absent: [], temporary, agentDir: AGENT, network: "none", ...more };
}

const EXAMPLE = policy({
  [`${AGENT}/agent.mdx`]: { kind: "read-only" },
  [AGENT]: { kind: "writable" },
  "/Users/me": { kind: "hidden-folder" },
  "/private/tmp": { kind: "private", name: "tmp", mode: "1777" },
  "/Users/me/link": { kind: "link", target: AGENT },
  "/private/etc/master.passwd": { kind: "stand-in", source: "/private/empty" },
});

/** The expressions of a profile, each as a list of texts and lists; throws if it is no sequence of balanced lists. */
function expressionsOf(text: string): readonly unknown[] {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/gs) ?? [];
  expect(tokens.join("").length).toBe(
    text.replace(/"(?:[^"\\]|\\.)*"|\s/gs, (part) => (part.startsWith('"') ? part : "")).length,
  );
  const stack: unknown[][] = [[]];
  for (const token of tokens) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const list = stack.pop();
      const around = stack.at(-1);
      if (around === undefined) throw new Error("a parenthesis too many is closed");
      around.push(list);
    } else stack.at(-1)?.push(token.startsWith('"') ? token.slice(1, -1).replace(/\\(.)/gs, "$1") : token);
  }
  const [all] = stack;
  if (stack.length !== 1 || all === undefined) throw new Error("a parenthesis is not closed");
  return all;
}

const linesOf = (profile: string): readonly string[] => profile.trimEnd().split("\n");

describe("a profile for macOS", () => {
  test("denies what it does not allow, and is one expression a line", () => {
    const lines = linesOf(macosProfile(EXAMPLE));
    expect(lines.slice(0, 2)).toStrictEqual(["(version 1)", "(deny default)"]);
    for (const line of lines) expect(expressionsOf(line)).toHaveLength(1);
  });

  test("has a rule about an inner path after that about the outer one, since the last one that matches counts", () => {
    const lines = linesOf(macosProfile(EXAMPLE));
    const ordered = [
      "(allow file-read*)",
      '(deny file-read* file-write* network* (subpath "/Users/me"))',
      `(allow file-read* file-write* (subpath "${AGENT}"))`,
      `(deny file-write* (subpath "${AGENT}/agent.mdx"))`,
    ];
    const indexes = ordered.map((line) => lines.indexOf(line));
    expect(indexes).not.toContain(-1);
    expect(indexes).toStrictEqual(indexes.toSorted((one, other) => one - other));
    const shown = lines.findIndex((line) => line.startsWith("(allow file-read-metadata "));
    expect(lines[shown]).toContain('(literal "/Users/me")');
    expect(shown).toBeGreaterThan(indexes[1] ?? 0);
  });

  test("lets nothing be written but the writable mounts, the own temporary folder and devices", () => {
    const writing = linesOf(macosProfile(EXAMPLE)).filter((line) => /^\(allow[^(]* file-write/.test(line));
    expect(
      writing.flatMap((line) => line.match(/"[^"]*"/g) ?? []).filter((path) => !path.startsWith('"/dev/')),
    ).toStrictEqual(['"^/dev/tty"', `"${AGENT}"`, '"/private/var/folders/x/T/own"']);
  });

  test("keeps protected files, and the folders around them, from being moved away", () => {
    const rule = linesOf(macosProfile(EXAMPLE)).find((line) => line.startsWith("(deny file-write-unlink"));
    for (const path of [AGENT, `${AGENT}/agent.mdx`, "/Users/me", "/Users"])
      expect(rule).toContain(`(literal "${path}")`);
  });

  test("keeps absent files from being made in any spelling, after all that may be written", () => {
    const lines = linesOf(macosProfile({ ...EXAMPLE, absent: [`${AGENT}/heartbeat.md`] }));
    const index = lines.findIndex((line) => line.startsWith("(deny file-write* (regex"));
    expect(index).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith("(allow file-read* file-write*")));
    const [[, , [, pattern]]] = JSON.parse(JSON.stringify(expressionsOf(lines[index] ?? "")));
    const regex = new RegExp(pattern);
    for (const name of ["heartbeat.md", "HeartBeat.MD", "heartbeat.md/x"]) expect(`${AGENT}/${name}`).toMatch(regex);
    for (const name of ["heartbeatxmd", "heartbeat.md2"]) expect(`${AGENT}/${name}`).not.toMatch(regex);
  });

  test.each([
    ["none", []],
    [{ proxyPort: 8123 }, ['(allow network-outbound (remote ip "localhost:8123"))']],
    ["all", ["(allow network-outbound (remote ip))", "(allow network-inbound network-bind (local ip))"]],
  ] as const)("with the network %j reaches that, and sockets of its own folders", (network, expected) => {
    const lines = linesOf(macosProfile({ ...EXAMPLE, network })).filter((line) =>
      /^\(allow.* \((?:remote|local) /.test(line),
    );
    expect(lines).toStrictEqual([...expected]);
    expect(macosProfile({ ...EXAMPLE, network })).toContain(`(allow network* (subpath "${AGENT}") `);
  });

  test.each([
    '/Users/me/a") (allow default) ("',
    "/Users/me/back\\slash",
    '/Users/me/end\\"',
    "/Users/me/new\nline (allow default)",
    "/Users/me/#| comment",
    "/Users/me/; comment",
    "/Users/me/(a[b]{c}.*+?^$|)",
  ])("takes the hostile path %j for a path", (path) => {
    const profile = macosProfile(policy({ [path]: { kind: "writable" } }, { absent: [`${path}/x`], agentDir: path }));
    const all = expressionsOf(profile);
    expect(all).toContainEqual(["allow", "file-read*", "file-write*", ["subpath", path]]);
    expect(all).not.toContainEqual(["allow", "default"]);
    const [, , [, pattern]] = JSON.parse(
      JSON.stringify(all.find((one) => JSON.stringify(one).startsWith('["deny","file-write*",["regex"'))),
    );
    expect(`${path}/X`).toMatch(new RegExp(pattern));
  });
});
