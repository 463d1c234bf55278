import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { executablePlatform } from "../../scripts/executable-platform.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** First bytes of files that were built for these platforms. */
const rows: readonly [string | undefined, string][] = [
  ["linux-x64", "7f454c4602010100000000000000000002003e00"],
  ["linux-arm64", "7f454c460201010000000000000000000200b700"],
  ["darwin-x64", "cffaedfe07000001030000800200000015000000"],
  ["darwin-arm64", "cffaedfe0c000001000000000200000015000000"],
  [undefined, "7f454c460201010000000000000000000200f300"],
  [undefined, "4d5a90000300000004000000ffff0000b8000000"],
  [undefined, ""],
];

describe("the platform of an executable", () => {
  test.each(rows)("is %p by the bytes %s", async (platform, bytes) => {
    using folder = temporaryDirectory();
    const path = join(folder.path, "program");
    await Bun.write(path, Buffer.from(bytes, "hex"));
    expect(await executablePlatform(path)).toBe(platform);
  });

  test("is this machine's for the Bun that runs here", async () => {
    expect(await executablePlatform(process.execPath)).toBe(`${process.platform}-${process.arch}`);
  });
});
