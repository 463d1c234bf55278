import { describe, expect, test } from "bun:test";
import { contentsLines } from "../../../packages/cli/src/trust/directory-contents.ts";
import { GREETING_AGENT, writeFiles } from "../../support/agent-files.ts";
import { manifestOf } from "../../support/read-manifest.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

describe("the question of trust", () => {
  test("shows every permission that is asked for, however many harmless ones precede it", async () => {
    using folder = temporaryDirectory();
    const rules = Array.from({ length: 200 }, (_, index) => `  "bash(echo ${index})": ask\n`);
    writeFiles(folder.path, {
      "agent.mdx": `---\npermissions:\n${rules.join("")}  bash: allow\n---\n\n${GREETING_AGENT}`,
    });
    const lines = contentsLines(await manifestOf(folder.path));
    expect(lines.find((line) => line.startsWith("permissions"))).toEndWith(", allow bash");
  });
});
