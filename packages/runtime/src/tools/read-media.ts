import { readFileSync } from "node:fs";
import type { ToolResult } from "../types/tool.ts";
import { FileToolError, type PermittedFile } from "./permitted-file.ts";
import { type Media, withPermitted } from "./read-window.ts";

/**
 * Bytes and pixels of a side that providers accept of an image. One alone may have 8,000 pixels, but it stays in its
 * conversation, which may get more than 20.
 */
const MOST_IMAGE_BYTES = 5 * 1024 * 1024;
const MOST_PIXELS = 2_000;
/** The longer side of an image that was scaled down: providers scale larger ones themselves. */
const SCALED_PIXELS = 1_568;
/** A larger file is not loaded. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Pixels of an image that is decoded: a small file may claim to have very many. */
const MOST_DECODED = 100_000_000;

/** Reads an image for a model, scaled down if it is larger than providers accept, or describes a PDF. Rejects with `FileToolError`. */
export async function readMedia(file: PermittedFile, media: Media): Promise<ToolResult | string> {
  const { size, bytes } = contentOf(file);
  if (media === "application/pdf") return pdfText(file.path, size, bytes);
  if (bytes === undefined) throw tooLarge(file.path, `${size} bytes`);
  return imageResult(file.path, bytes, media);
}

function contentOf(file: PermittedFile): { readonly size: number; readonly bytes?: Buffer } {
  return withPermitted(file, (descriptor, { size }) =>
    size > MOST_BYTES ? { size } : { size, bytes: readFileSync(descriptor) },
  );
}

async function imageResult(path: string, bytes: Buffer, media: Media): Promise<ToolResult> {
  const { width, height } = await sizeOf(path, bytes);
  const about = `${path}: ${media}, ${width} × ${height} pixels, ${bytes.length} bytes`;
  // Base64 is what a provider counts.
  const isAccepted = base64Length(bytes) <= MOST_IMAGE_BYTES && Math.max(width, height) <= MOST_PIXELS;
  if (isAccepted) return imageOf(about, bytes, media);
  if (width * height > MOST_DECODED) throw tooLarge(path, `${width} × ${height} pixels`);
  const scaled = await scaledDown(bytes, media);
  if (scaled === undefined || base64Length(scaled.bytes) > MOST_IMAGE_BYTES) throw tooLarge(path, about);
  const now = await sizeOf(path, scaled.bytes);
  return imageOf(`${about}; shown scaled down to ${now.width} × ${now.height} pixels`, scaled.bytes, scaled.mimeType);
}

const base64Length = (bytes: Uint8Array): number => Math.ceil(bytes.length / 3) * 4;

const imageOf = (text: string, bytes: Uint8Array, mimeType: string): ToolResult => ({
  content: [
    { type: "text", text },
    { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType },
  ],
});

async function sizeOf(path: string, bytes: Uint8Array): Promise<{ readonly width: number; readonly height: number }> {
  try {
    return await new Bun.Image(bytes).metadata();
  } catch (cause) {
    throw new FileToolError(`${JSON.stringify(path)} is a broken image: ${String(cause)}`, { cause });
  }
}

interface ScaledImage {
  readonly bytes: Uint8Array;
  readonly mimeType: "image/png" | "image/jpeg";
}

/** Undefined for a format that cannot be decoded here. */
async function scaledDown(bytes: Uint8Array, media: Media): Promise<ScaledImage | undefined> {
  const image = (): Bun.Image =>
    new Bun.Image(bytes).resize(SCALED_PIXELS, SCALED_PIXELS, { fit: "inside", withoutEnlargement: true });
  try {
    const png = media === "image/png" ? await image().png().bytes() : undefined;
    // A photo as PNG may still be too large.
    if (png && base64Length(png) <= MOST_IMAGE_BYTES) return { bytes: png, mimeType: "image/png" };
    return { bytes: await image().jpeg({ quality: 85 }).bytes(), mimeType: "image/jpeg" };
  } catch {
    return undefined;
  }
}

const tooLarge = (path: string, size: string): FileToolError =>
  new FileToolError(
    `${JSON.stringify(path)} is too large to be shown (${size}): models take at most ${MOST_IMAGE_BYTES} bytes in base64 and ${MOST_PIXELS} pixels a side. Scale it down with a command, such as: convert IN -resize ${SCALED_PIXELS}x${SCALED_PIXELS} OUT`,
  );

function pdfText(path: string, size: number, bytes: Buffer | undefined): string {
  const pages = bytes === undefined ? undefined : pagesOf(bytes.toString("latin1"));
  const count = pages === undefined ? "" : `, ${pages} ${pages === 1 ? "page" : "pages"}`;
  return `[${path} is a PDF${count}, ${size} bytes. Read its text with the bash tool: pdftotext -layout FILE -, with -f and -l for a range of pages.]`;
}

/** The pages of a PDF, if it says so without compression. Takes time for its length, whatever it contains. */
function pagesOf(text: string): number | undefined {
  let most = 0;
  for (const part of dictionaryParts(text)) {
    if (/\/Type\s*\/Pages\b/.test(part)) most = Math.max(most, Number(/\/Count\s+(\d+)/.exec(part)?.[1] ?? 0));
  }
  if (most > 0) return most;
  const pages = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  return pages > 0 ? pages : undefined;
}

/** What is before each ">": no dictionary goes on behind one. */
function* dictionaryParts(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf(">"); end !== -1; end = text.indexOf(">", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}
