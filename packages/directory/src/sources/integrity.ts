import { createHash } from "node:crypto";
import { sourceError } from "./source.ts";

/** `sha512-…` in base64, the form of subresource integrity. */
export const sha512 = (bytes: Uint8Array): string => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

/** Throws `DirectoryError` ("source") if the bytes are not the expected ones. */
export function requireIntegrity(what: string, found: string, expected: string): void {
  if (found !== expected) throw sourceError(`${what} is not what was expected: it is ${found}, expected ${expected}`);
}
