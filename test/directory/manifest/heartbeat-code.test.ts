import { expect, test } from "bun:test";
import { agentDirectory } from "../../support/agent-directory.ts";
import { manifestOf } from "../../support/read-manifest.ts";

const heartbeat = (code: string, before = ""): string => `${before}@every: 15m
@notify: command mail me
@notify: https://example.com/news
@gate:
\`\`\`ts
${code}
\`\`\`
`;

const GATE = 'import { look } from "./lib/look.ts";\nasync function gate() { return look(); }';

test("trust covers the code, the commands and the addresses of heartbeat.md, and what its code imports", async () => {
  const read = async (text: string) => {
    using directory = agentDirectory({ "heartbeat.md": text, "lib/look.ts": "export const look = () => false;\n" });
    const { entries } = await manifestOf(directory.path);
    return entries;
  };
  const before = await read(heartbeat(GATE));
  const names = before.map(({ kind, item, aspect }) => [kind, item, aspect].filter((part) => part).join(" "));
  expect(names).toEqual(
    expect.arrayContaining([
      "heartbeat code of gates and checks",
      "heartbeat command mail me",
      "heartbeat news to https://example.com/news",
      "imported file lib/look.ts",
    ]),
  );
  const valueIn = (entries: typeof before, aspect?: string): unknown =>
    entries.find((entry) => entry.kind === "heartbeat" && entry.aspect === aspect)?.value;
  const moved = await read(heartbeat(GATE, "# Heartbeat\n\n"));
  expect(valueIn(moved)).toBe(valueIn(before));
  const other = await read(heartbeat("async function gate() { return true; }"));
  expect(valueIn(other, "code of gates and checks")).not.toBe(valueIn(before, "code of gates and checks"));
});
