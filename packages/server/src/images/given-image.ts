import type { ImageContent } from "@mdx-ai/models";

/** As JSON Schema has patterns. */
export const BASE64 = "^[A-Za-z0-9+/]+={0,2}$";
export const IMAGE_TYPE = "^image/[\\w.+-]+$";

/** An image of a client; undefined if it is none, which a model would refuse with each later message of its session. */
export const givenImage = (data: unknown, mimeType: unknown): ImageContent | undefined =>
  typeof data === "string" &&
  typeof mimeType === "string" &&
  new RegExp(BASE64).test(data) &&
  new RegExp(IMAGE_TYPE).test(mimeType)
    ? { type: "image", data, mimeType }
    : undefined;
