import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { differenceLines } from "@mdx-ai/directory/testing";

const image = (data: string) => ({
  content: [{ type: "image" as const, mimeType: "image/png", data }],
  isError: false,
});

test("images that differ are shown by the start of their SHA-256", async () => {
  const shown = (data: string): string => `[image/png ${createHash("sha256").update(data).digest("hex").slice(0, 12)}]`;
  const call = { prompt: 1, step: "tool:1:a", name: "draw", arguments: {} };
  const lines = await differenceLines({ ...call, recorded: image("AAAA"), now: image("BBBB") });
  expect(lines).toStrictEqual([
    { mark: "-", text: shown("AAAA") },
    { mark: "+", text: shown("BBBB") },
  ]);
});
