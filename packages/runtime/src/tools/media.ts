/** A kind of file that is not shown as text. */
export type Media = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf";

/** The bytes with which files of a kind begin; null stands for any byte. */
const BEGINNINGS: readonly (readonly [Media, readonly (number | null)[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50]],
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
];

/** The kind of a file by the bytes with which it begins, whatever its name is; undefined for all others. */
export const mediaOf = (bytes: Uint8Array): Media | undefined =>
  BEGINNINGS.find(([, beginning]) => beginning.every((byte, index) => byte === null || byte === bytes[index]))?.[0];
