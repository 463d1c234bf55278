import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readAgentDirectory } from "@mdx-ai/parser";
import { GREETING_AGENT, writeFiles } from "../../../../test/support/agent-files.ts";
import { surroundingsIn } from "../../../../test/support/front-end.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { changesSinceTrust, keepTrust, trustRecordOf, usableTrustFile } from "./trust-state.ts";

const EDITED = GREETING_AGENT.replace("Hello", "Hallo");
const CODE_CHANGED = { grade: "changed", type: "changed", name: 'tool "greet": code' } as const;

describe("what changed since a directory was trusted", () => {
  test("is nothing if it was never trusted", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const directory = await readAgentDirectory(join(home.path, "agent"));
    const state = await changesSinceTrust(directory, surroundingsIn(home.path));
    expect(state).toMatchObject({ isTrusted: false, changes: [] });
  });

  test("is found by comparison with the list, and is none again when it is confirmed", async () => {
    using home = temporaryDirectory();
    const path = join(home.path, "agent");
    const context = surroundingsIn(home.path);
    const file = usableTrustFile(writeFiles(path, { "agent.mdx": GREETING_AGENT }), context) ?? "";
    const first = await changesSinceTrust(await readAgentDirectory(path), context);
    await keepTrust({ file, path, record: trustRecordOf(first.manifest) }, context);
    expect(await changesSinceTrust(await readAgentDirectory(path), context)).toMatchObject({
      isTrusted: true,
      changes: [],
    });
    writeFiles(path, { "agent.mdx": EDITED });
    const second = await changesSinceTrust(await readAgentDirectory(path), context);
    expect(second).toMatchObject({ isTrusted: false, changes: [CODE_CHANGED] });
    await keepTrust({ file, path, record: trustRecordOf(second.manifest) }, context);
    expect(await changesSinceTrust(await readAgentDirectory(path), context)).toMatchObject({ isTrusted: true });
  });

  test("is found by comparison with what a process was allowed to run once", async () => {
    using home = temporaryDirectory();
    const path = writeFiles(join(home.path, "agent"), { "agent.mdx": GREETING_AGENT });
    const context = surroundingsIn(home.path);
    const { manifest } = await changesSinceTrust(await readAgentDirectory(path), context);
    writeFiles(path, { "agent.mdx": GREETING_AGENT.replace("Greet people.", "Greet all.") });
    const prose = await changesSinceTrust(await readAgentDirectory(path), context, manifest);
    expect(prose).toMatchObject({ isTrusted: true, changes: [] });
    writeFiles(path, { "agent.mdx": EDITED });
    const code = await changesSinceTrust(await readAgentDirectory(path), context, manifest);
    expect(code).toMatchObject({ isTrusted: false, changes: [CODE_CHANGED] });
  });

  test("does not matter where it is trusted with its edits", async () => {
    using home = temporaryDirectory();
    const path = writeFiles(join(home.path, "agent"), { "agent.mdx": GREETING_AGENT });
    const context = surroundingsIn(home.path);
    const { manifest } = await changesSinceTrust(await readAgentDirectory(path), context);
    const file = usableTrustFile(path, context) ?? "";
    await keepTrust({ file, path, record: trustRecordOf(manifest, true) }, context);
    writeFiles(path, { "agent.mdx": EDITED });
    const state = await changesSinceTrust(await readAgentDirectory(path), context);
    expect(state).toMatchObject({ isTrusted: true, changes: [CODE_CHANGED] });
  });
});
