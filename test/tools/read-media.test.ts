import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { executeTool, readFileTool } from "@mdx-ai/tools";
import { fittedContent } from "@mdx-ai/tools/fitted-image";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { toolContext } from "../support/tool-context.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** A PNG of so many pixels a side that cannot be compressed. */
function noise(side: number): Buffer {
  const rows = Array.from({ length: side }, () => Buffer.concat([Buffer.of(0), randomBytes(side * 3)]));
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const data = deflateSync(Buffer.concat(rows), { level: 0 });
  const parts = [chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([PIXEL.subarray(0, 8), ...parts]);
}

/** A GIF with one row of so many pixels. */
function wideGif(width: number): Buffer {
  // The code for "clear" comes so often that all codes have 8 bits.
  const codes = Array.from({ length: width }, (_, index) => (index % 100 === 0 ? [128, index % 120] : [index % 120]));
  const bytes = [...codes.flat(), 129];
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) => {
    const block = bytes.slice(index * 255, (index + 1) * 255);
    return [block.length, ...block];
  });
  const size = [width & 255, width >> 8, 1, 0];
  const colours = Array.from({ length: 3 * 128 }, (_, index) => index % 256);
  const image = [0x2c, 0, 0, 0, 0, ...size, 0, 7, ...blocks.flat(), 0, 0x3b];
  return Buffer.from([...Buffer.from("GIF89a"), ...size, 0xf6, 0, 0, ...colours, ...image]);
}

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
  ])("gives the bytes of a %s with any name", async (kind, make) => {
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

  test("scales a gif down, too", async () => {
    const { text, image } = await read(wideGif(9_000));
    expect(text).toEndWith("9000 × 1 pixels, 9537 bytes; shown scaled down to 1568 × 1 pixels");
    expect(image).toMatchObject({ mimeType: "image/jpeg" });
  });

  test("scales one down that has more bytes than providers accept, as a JPEG if that is still too large", async () => {
    const bytes = noise(1_600);
    expect(bytes.length).toBeGreaterThan(5 * 1024 * 1024);
    const { text, image } = await read(bytes);
    expect(text).toEndWith("shown scaled down to 1568 × 1568 pixels");
    expect(image).toMatchObject({ mimeType: "image/jpeg" });
    expect(image?.data.length).toBeLessThanOrEqual(5 * 1024 * 1024);
  });

  test("refuses a broken one", async () => {
    expect(await read(PIXEL.subarray(0, 20))).toMatchObject({
      isError: true,
      text: expect.stringContaining("broken image"),
    });
  });
});

describe("content from elsewhere", () => {
  const image = (bytes: Uint8Array, mimeType = "image/png") => ({
    ...{ type: "image" as const, data: Buffer.from(bytes).toString("base64"), mimeType },
  });
  const text = (shown: string) => ({ type: "text" as const, text: shown });

  test("keeps an image that providers accept, with its true type, and texts", async () => {
    const content = [text("before"), image(PIXEL), image(GIF, "image/png")];
    expect(await fittedContent(content)).toStrictEqual([text("before"), image(PIXEL), image(GIF, "image/gif")]);
  });

  test("has a larger one scaled down, which a text before it says", async () => {
    const wide = await new Bun.Image(PIXEL).resize(4_000, 40, { fit: "fill" }).png().buffer();
    const [note, scaled] = await fittedContent([image(wide)]);
    expect(note).toStrictEqual(text("[Image, image/png, 4000 × 40 pixels, shown scaled down to 1568 × 16 pixels]"));
    const data = scaled?.type === "image" ? scaled.data : "";
    expect(await new Bun.Image(Buffer.from(data, "base64")).metadata()).toMatchObject({ width: 1_568, height: 16 });
  });

  test("has a text instead of a broken one", async () => {
    const [note, ...others] = await fittedContent([image(PIXEL.subarray(0, 20)), image(Buffer.from("none"))]);
    expect(note).toMatchObject({ text: expect.stringMatching(/^\[Image, image\/png, is a broken image: /) });
    expect(others).toStrictEqual([text("[Image, image/png, is broken and left out]")]);
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
