import { readFileSync } from "node:fs";
import type { ToolResult } from "@mdx-ai/loop";
import { FileToolError, type PermittedFile } from "@mdx-ai/permissions";
import {
  fittedImage,
  type ImageMedia,
  imageBlock,
  scaledText,
  sizeText,
  tooLargeImage,
  UnfitImageError,
} from "./fitted-image.ts";
import { type Media, withPermitted } from "./read-window.ts";

/** The largest file that is loaded, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads an image for a model, scaled down if it is larger than providers accept, or describes a PDF. Rejects with `FileToolError`. */
export async function readMedia(file: PermittedFile, media: Media): Promise<ToolResult | string> {
  const { size, bytes } = contentOf(file);
  if (media === "application/pdf") return pdfText(file.path, size, bytes);
  if (bytes === undefined) throw unfit(file.path, tooLargeImage(`${size} bytes`));
  return imageResult(file.path, bytes, media);
}

function contentOf(file: PermittedFile): { readonly size: number; readonly bytes?: Buffer } {
  return withPermitted(file, (descriptor, { size }) =>
    size > MAX_BYTES ? { size } : { size, bytes: readFileSync(descriptor) },
  );
}

async function imageResult(path: string, bytes: Buffer, media: ImageMedia): Promise<ToolResult> {
  try {
    const image = await fittedImage(bytes, media);
    const about = `${path}: ${media}, ${sizeText(image.given)}, ${bytes.length} bytes`;
    const text = image.scaled === undefined ? about : `${about}; ${scaledText(image.scaled)}`;
    return { content: [{ type: "text", text }, imageBlock(image.bytes, image.mimeType)] };
  } catch (error) {
    throw error instanceof UnfitImageError ? unfit(path, error) : error;
  }
}

const unfit = (path: string, cause: UnfitImageError): FileToolError =>
  new FileToolError(`${JSON.stringify(path)} ${cause.message}`, { cause });

function pdfText(path: string, size: number, bytes: Buffer | undefined): string {
  const pages = bytes === undefined ? undefined : pagesOf(bytes.toString("latin1"));
  const count = pages === undefined ? "" : `, ${pages} ${pages === 1 ? "page" : "pages"}`;
  return `[${path} is a PDF${count}, ${size} bytes. Read its text with the bash tool: pdftotext -layout FILE -, with -f and -l for a range of pages.]`;
}

/** The number of pages of a PDF, if it is stated uncompressed. Linear in the length of the file. */
function pagesOf(text: string): number | undefined {
  let most = 0;
  for (const part of dictionaryParts(text)) {
    if (/\/Type\s*\/Pages\b/.test(part)) most = Math.max(most, Number(/\/Count\s+(\d+)/.exec(part)?.[1] ?? 0));
  }
  if (most > 0) return most;
  const pages = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  return pages > 0 ? pages : undefined;
}

/** The text before each ">", where a dictionary ends. */
function* dictionaryParts(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf(">"); end !== -1; end = text.indexOf(">", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}
