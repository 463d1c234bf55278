import { describe, expect, test } from "bun:test";
import type { ToolDefinition } from "@mdx-ai/parser";
import { agentText, toolWithCode } from "../../support/agent-text.ts";
import { placesOf, withFixes } from "../../support/diagnostic-places.ts";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { PLAIN_MESSAGE } from "../../support/plain-message.ts";

const code = 'function execute() { return ""; }';
const withAttributes = (attributes: string): string =>
  agentText(toolWithCode(code, `name="t" description="d" ${attributes}`));

type Limits = Pick<ToolDefinition, "idempotent" | "permission" | "network" | "files">;

describe("a tool says how it may be run", () => {
  const rows: readonly [string, Limits][] = [
    ["", {}],
    ["idempotent", { idempotent: true }],
    ["idempotent={true}", { idempotent: true }],
    ['idempotent="true"', { idempotent: true }],
    ['idempotent="false"', {}],
    ["idempotent={false}", {}],
    ['permission="ask"', { permission: "ask" }],
    ['permission={"deny"}', { permission: "deny" }],
    ['permission={"allow"}', { permission: "allow" }],
    ['network="none"', { network: [] }],
    ['network="api.example.com"', { network: ["api.example.com"] }],
    [
      'network=" API.Example.com , *.example.org,localhost:8080, 127.0.0.1:80,[::1]:8080 "',
      { network: ["api.example.com", "*.example.org", "localhost:8080", "127.0.0.1:80", "[::1]:8080"] },
    ],
    ['network="a.example, A.example"', { network: ["a.example"] }],
    ['network="xn--bcher-kva.example, my_host, a-b.c"', { network: ["xn--bcher-kva.example", "my_host", "a-b.c"] }],
    ['files="none"', { files: { read: [], write: [] } }],
    ['files="read:data/**, write:out/**"', { files: { read: ["data/**"], write: ["out/**"] } }],
    [
      'files="write:out/*.json,read: ./a//b.txt ,read:/srv/data/**, read:., write:tmp/"',
      { files: { read: ["a/b.txt", "/srv/data/**", "**"], write: ["out/*.json", "tmp/**"] } },
    ],
    ['files="read:[id]/a b?.txt, read:ünï/x"', { files: { read: ["[id]/a b?.txt", "ünï/x"], write: [] } }],
  ];
  for (const [attributes, expected] of rows) {
    test(attributes === "" ? "or nothing of it" : attributes, async () => {
      const { tools, diagnostics } = await parseAgentMdx(withAttributes(attributes));
      expect(diagnostics).toStrictEqual([]);
      const [tool] = tools;
      const { idempotent, permission, network, files } = tool ?? {};
      const said = Object.entries({ idempotent, permission, network, files }).filter(
        ([, value]) => value !== undefined,
      );
      expect(Object.fromEntries(said)).toStrictEqual({ ...expected });
    });
  }
});

describe("what is no limit is told at its attribute, and none of it is kept", () => {
  const rows: readonly [string, string, RegExp][] = [
    ['idempotent="yes"', "tool-idempotent", /`yes` as `idempotent`, expected "true" or "false"/],
    ['permission="never"', "tool-permission", /`never` as `permission`, expected `allow`, `ask` or `deny`/],
    ['permission="Allow"', "tool-permission", /did you mean `allow`/],
    ['permission="constructor"', "tool-permission", /`constructor`/],
    ['permission="__proto__"', "tool-permission", /`__proto__`/],
    ["permission", "tool-permission", /`true` as `permission`/],
    ['network="*"', "tool-network", /remove `network`/],
    ['network="http://a.example/b?c"', "tool-network", /did you mean `a\.example`/],
    ['network="a.example/b"', "tool-network", /did you mean `a\.example`/],
    ['network="user@a.example"', "tool-network", /`user@a\.example`/],
    ['network="a.example:0"', "tool-network", /invalid port/],
    ['network="a.example:65536"', "tool-network", /invalid port/],
    ['network="a b"', "tool-network", /`a b`/],
    ['network="*a.example"', "tool-network", /`\*a\.example`/],
    ['network="**.a.example"', "tool-network", /`\*\*\.a\.example`/],
    ['network="-a.example"', "tool-network", /`-a\.example`/],
    ['network="a.example."', "tool-network", /`a\.example\.`/],
    ['network="2130706433"', "tool-network", /`2130706433`/],
    ['network="0x7f.1"', "tool-network", /`0x7f\.1`/],
    ['network="127.1"', "tool-network", /`127\.1`/],
    ['network="[::1"', "tool-network", /`\[::1`/],
    ['network="::1"', "tool-network", /`::1`/],
    ['network="none, a.example"', "tool-network", /`none` beside hosts/],
    ['network=",a.example"', "tool-network", /`,a\.example`/],
    ["network", "tool-network", /write `network="none"` for no network/],
    ["network={5}", "tool-network", /`5`/],
    ['files=""', "tool-files", /write `files=/],
    ['files="data/**"', "tool-files", /each path has its `read:` or `write:`/],
    ['files="READ:data"', "tool-files", /`READ:data`/],
    ['files="execute:data"', "tool-files", /`execute:data`/],
    ['files="constructor:data"', "tool-files", /`constructor:data`/],
    ['files="read:"', "tool-files", /`read:`/],
    ['files="read:../x"', "tool-files", /without `\.\.`/],
    ['files="read:a/../../x"', "tool-files", /without `\.\.`/],
    ['files="read:/srv/../etc/shadow"', "tool-files", /without `\.\.`/],
    ['files="read:C:/x"', "tool-files", /write paths with `\/`/],
    ['files="read:file:///x"', "tool-files", /hosts belong in `network`/],
    ['files="read:~/x"', "tool-files", /whole path/],
    ['files="read:!x"', "tool-files", /everything else is denied/],
    ['files="write:/"', "tool-files", /name of a folder/],
    ['files="write:/**"', "tool-files", /name of a folder/],
    ['files="write://server/share"', "tool-files", /name of a folder/],
    ['files={"read:a\\u0000b"}', "tool-files", /`read:a/],
  ];
  for (const [attributes, rule, said] of rows) {
    test(attributes, async () => {
      const { tools, diagnostics } = await parseAgentMdx(withAttributes(attributes));
      expect(placesOf(diagnostics)).toStrictEqual([`7:32 ${rule}`]);
      expect(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`).toMatch(said);
      expect(diagnostics[0]?.message).toMatch(PLAIN_MESSAGE);
      const { idempotent, permission, network = [], files = { read: [], write: [] } } = tools[0] ?? {};
      expect([idempotent, permission]).toStrictEqual([undefined, undefined]);
      expect([...network, ...files.read, ...files.write].filter((kept) => kept !== "a.example")).toStrictEqual([]);
    });
  }
});

test("an attribute that keeps a tool from something is an error where it is misspelled, others are a warning", async () => {
  const names = ["permision", "netwrk", "file", "idempotnt", "timout"];
  const severities = await Promise.all(
    names.map(async (name) => (await parseAgentMdx(withAttributes(`${name}="none"`))).diagnostics[0]?.severity),
  );
  expect(severities).toStrictEqual(["error", "error", "error", "warning", "warning"]);
});

describe("a fix", () => {
  test("writes a time in seconds", async () => {
    const text = withAttributes('timeout="2 min"');
    const fixed = withFixes(text, (await parseAgentMdx(text)).diagnostics);
    expect(fixed).toBe(withAttributes('timeout="120"'));
    expect((await parseAgentMdx(fixed)).diagnostics).toStrictEqual([]);
  });

  const guesses = [
    ...['idempotent="maybe"', 'idempotent="yes"', "idempotent='no'", 'permission="always"', 'permission="dney"'],
    ...['permission = "ALLOW"', 'network="*"', 'network="2130706433"', 'network="https://a.example:8443/b, b.example"'],
    ...['netwrok="none"', 'files="data"'],
  ];
  for (const written of guesses) {
    test(`is not guessed for ${written}`, async () => {
      const { diagnostics } = await parseAgentMdx(withAttributes(written));
      expect(diagnostics.map(({ fix }) => fix)).toStrictEqual([undefined]);
    });
  }
});
