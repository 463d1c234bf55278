import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeTool } from "@mdx-ai/runtime";
import { readFileTool } from "../../../packages/runtime/src/tools/read-file.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { toolContext } from "../../support/tool-context.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** The content that a model receives of a file with these bytes. */
async function read(bytes: Uint8Array, name = "file") {
  using folder = temporaryDirectory();
  writeFileSync(join(folder.path, name), bytes);
  const { content, isError } = await executeTool(readFileTool(), { path: name }, toolContext(folder.path));
  const [first, image] = content;
  const text = first?.type === "text" ? first.text.replaceAll(folder.path, "DIR") : "";
  return { text, isError, image: image?.type === "image" ? image : undefined };
}

describe("read_file of an image", () => {
  test.each([
    ["png", () => Promise.resolve(PIXEL)],
    ["jpeg", () => new Bun.Image(PIXEL).jpeg().buffer()],
    ["webp", () => new Bun.Image(PIXEL).webp().buffer()],
    ["gif", () => Promise.resolve(GIF)],
  ])("gives the bytes of a %s, whatever its name is", async (kind, make) => {
    const bytes = await make();
    const { text, image } = await read(bytes);
    expect(text).toBe(`DIR/file: image/${kind}, 1 × 1 pixels, ${bytes.length} bytes`);
    expect(image).toEqual({ type: "image", data: bytes.toString("base64"), mimeType: `image/${kind}` });
  });

  test.each([
    [9_000, 90, 16],
    [2_001, 20, 16],
  ])("scales one of %d × %d down, which is larger than providers accept of many", async (width, height, scaled) => {
    const wide = await new Bun.Image(PIXEL).resize(width, height, { fit: "fill" }).png().buffer();
    const { text, image } = await read(wide);
    expect(text).toContain(`${width} × ${height} pixels`);
    expect(text).toEndWith(`shown scaled down to 1568 × ${scaled} pixels`);
    expect(await new Bun.Image(Buffer.from(image?.data ?? "", "base64")).metadata()).toMatchObject({ width: 1_568 });
  });

  test("leaves one as it is that has 2,000 pixels a side", async () => {
    const usual = await new Bun.Image(PIXEL).resize(2_000, 20, { fit: "fill" }).png().buffer();
    expect((await read(usual)).image?.data).toBe(usual.toString("base64"));
  });

  test("refuses a broken one", async () => {
    expect(await read(PIXEL.subarray(0, 20))).toMatchObject({
      isError: true,
      text: expect.stringContaining("broken image"),
    });
  });
});

test("read_file of a hostile PDF takes time for its length", async () => {
  const pdf = Buffer.from(`%PDF-1.4\n${"/Count 1".repeat(200_000)}${"/Type/Pages ".repeat(200_000)}`);
  expect((await read(pdf)).text).toContain(`DIR/file is a PDF, ${pdf.length} bytes`);
});

test("read_file of a PDF says how many pages it has and how to read it", async () => {
  const pdf = Buffer.from("%PDF-1.4\n1 0 obj <</Type /Pages /Kids [2 0 R] /Count 3>> endobj\n%%EOF");
  expect((await read(pdf)).text).toBe(
    `[DIR/file is a PDF, 3 pages, ${pdf.length} bytes. Read its text with the bash tool: pdftotext -layout FILE -, with -f and -l for a range of pages.]`,
  );
});
