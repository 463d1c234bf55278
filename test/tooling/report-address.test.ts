import { expect, test } from "bun:test";
import { join } from "node:path";
import { hasReportAddress } from "../../scripts/report-address.ts";

const ROOT = join(import.meta.dir, "../..");

const rows: readonly [boolean, string][] = [
  [true, "write to <security@mdx-ai.dev>."],
  [false, "write to <security@example.invalid>."],
  [false, "write to us."],
];

test.each(rows)("publishing is possible: %p with the address in %j", (possible, text) => {
  expect(hasReportAddress(text)).toBe(possible);
});

const isReady = hasReportAddress(await Bun.file(join(ROOT, "SECURITY.md")).text());

test.skipIf(isReady)("npm run pack packs nothing while the address is a placeholder", async () => {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/pack.ts"), "no-platform"], { stderr: "pipe" });
  expect(await child.exited).toBe(1);
  expect(await child.stderr.text()).toStartWith("SECURITY.md has no address to report vulnerabilities to");
});
