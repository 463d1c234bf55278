import { errorMessage } from "@mdx-ai/base";
import type { ImageContent, TextContent } from "@mdx-ai/models";
import { type Media, mediaOf } from "./read-window.ts";

/**
 * The largest image that providers accept, in bytes and in pixels per side. A single image may have 8,000 pixels, but it stays in
 * a conversation that may get more than 20 images.
 */
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MAX_PIXELS = 2_000;
/** The longer side of a scaled image; providers scale larger ones themselves. */
const SCALED_PIXELS = 1_568;
/** The most pixels of an image that is decoded: a small file may claim very many. */
const MAX_DECODED = 100_000_000;

export type ImageMedia = Exclude<Media, "application/pdf">;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image that providers accept. */
export interface FittedImage {
  readonly bytes: Uint8Array;
  readonly mimeType: ImageMedia;
  /** The original size in pixels. */
  readonly given: Size;
  /** The new size in pixels, if it was scaled down. */
  readonly scaled?: Size;
}

/** An image is broken, or cannot be made small enough; the message follows the name of the image. */
export class UnfitImageError extends Error {
  override readonly name = "UnfitImageError";
}

/** An image, scaled down if it is larger than providers accept. Rejects with `UnfitImageError`. */
export async function fittedImage(bytes: Uint8Array, mimeType: ImageMedia): Promise<FittedImage> {
  const given = await sizeOf(bytes);
  const { width, height } = given;
  // Providers count base64.
  const isAccepted = base64Length(bytes) <= MAX_IMAGE_BYTES && Math.max(width, height) <= MAX_PIXELS;
  if (isAccepted) return { bytes, mimeType, given };
  const about = `${mimeType}, ${sizeText(given)}, ${bytes.length} bytes`;
  if (width * height > MAX_DECODED) throw tooLargeImage(sizeText(given));
  const scaled = await scaledDown(bytes, mimeType);
  if (scaled === undefined || base64Length(scaled.bytes) > MAX_IMAGE_BYTES) throw tooLargeImage(about);
  return { ...scaled, given, scaled: await sizeOf(scaled.bytes) };
}

/** Why an image of this size is not shown. */
export const tooLargeImage = (size: string): UnfitImageError =>
  new UnfitImageError(
    `is too large to be shown (${size}): models take at most ${MAX_IMAGE_BYTES} bytes in base64 and ${MAX_PIXELS} pixels a side. Scale it down with a command, such as: convert IN -resize ${SCALED_PIXELS}x${SCALED_PIXELS} OUT`,
  );

export const sizeText = ({ width, height }: Size): string => `${width} × ${height} pixels`;

export const scaledText = (scaled: Size): string => `shown scaled down to ${sizeText(scaled)}`;

export const imageBlock = (bytes: Uint8Array, mimeType: ImageMedia): ImageContent => ({
  type: "image",
  data: Buffer.from(bytes).toString("base64"),
  mimeType,
});

type Content = TextContent | ImageContent;

/**
 * Remote content with images scaled down to the size that providers accept, each after a text that says so. An image that cannot
 * be shown becomes a text. Never rejects.
 */
export async function fittedContent(content: readonly Content[]): Promise<readonly Content[]> {
  const fitted: Content[] = [];
  // One after another: each may take 400 MB while it is decoded.
  for (const block of content) fitted.push(...(block.type === "image" ? await fittedBlock(block) : [block]));
  return fitted;
}

async function fittedBlock({ data, mimeType }: ImageContent): Promise<readonly Content[]> {
  const bytes = Buffer.from(data, "base64");
  const media = mediaOf(bytes);
  const text = (note: string): Content => ({ type: "text", text: `[Image, ${note}]` });
  if (media === undefined || media === "application/pdf") return [text(`${mimeType}, is broken and left out`)];
  try {
    const { given, scaled, ...image } = await fittedImage(bytes, media);
    if (scaled === undefined) return [{ type: "image", data, mimeType: media }];
    return [text(`${media}, ${sizeText(given)}, ${scaledText(scaled)}`), imageBlock(image.bytes, image.mimeType)];
  } catch (error) {
    return [text(`${media}, ${errorMessage(error)}`)];
  }
}

const base64Length = (bytes: Uint8Array): number => Math.ceil(bytes.length / 3) * 4;

async function sizeOf(bytes: Uint8Array): Promise<Size> {
  try {
    const { width, height } = await new Bun.Image(bytes).metadata();
    return { width, height };
  } catch (cause) {
    throw new UnfitImageError(`is a broken image: ${String(cause)}`, { cause });
  }
}

interface ScaledImage {
  readonly bytes: Uint8Array;
  readonly mimeType: "image/png" | "image/jpeg";
}

/** Undefined for a format that cannot be decoded here. */
async function scaledDown(bytes: Uint8Array, media: ImageMedia): Promise<ScaledImage | undefined> {
  const image = (): Bun.Image =>
    new Bun.Image(bytes).resize(SCALED_PIXELS, SCALED_PIXELS, { fit: "inside", withoutEnlargement: true });
  try {
    const png = media === "image/png" ? await image().png().bytes() : undefined;
    // A photo as PNG may still be too large.
    if (png && base64Length(png) <= MAX_IMAGE_BYTES) return { bytes: png, mimeType: "image/png" };
    return { bytes: await image().jpeg({ quality: 85 }).bytes(), mimeType: "image/jpeg" };
  } catch {
    return undefined;
  }
}
