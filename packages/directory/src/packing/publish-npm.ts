import { createHash } from "node:crypto";
import { isRecord, jsonValue } from "@mdx-ai/base";
import { httpRequest, requireSuccess } from "../sources/http-request.ts";
import { sha512 } from "../sources/integrity.ts";
import type { NpmSettings } from "../sources/npm-settings.ts";
import { sourceError } from "../sources/source.ts";
import type { PackageName } from "./agent-package.ts";
import type { NpmPackage } from "./npm-package.ts";

export interface NpmPublication {
  readonly settings: NpmSettings;
  readonly signal: AbortSignal;
  /** Default: "latest". */
  readonly tag?: string | undefined;
  /** Who may install a package with a scope. Default: the registry's. */
  readonly access?: "public" | "restricted" | undefined;
  /** The one-time password of a second factor. */
  readonly otp?: string | undefined;
}

/** Publishes a package, and returns its integrity. Rejects with `DirectoryError` ("source"), also if the version exists. */
export async function publishNpm(
  { name, version }: PackageName,
  { manifest, bytes }: NpmPackage,
  { settings, signal, tag = "latest", access, otp }: NpmPublication,
): Promise<string> {
  const registry = settings.registryOf(name);
  const url = new URL(name.replace("/", "%2f"), registry);
  const authorization = settings.authorizationFor(url);
  if (authorization === undefined) throw sourceError(`there are no credentials for ${registry.href}; run npm login`);
  const integrity = sha512(bytes);
  const file = `${name}-${version}.tgz`;
  const dist = {
    ...{ integrity, shasum: createHash("sha1").update(bytes).digest("hex") },
    tarball: new URL(`${name}/-/${file}`, registry).href,
  };
  const document = {
    ...{ _id: name, name, description: manifest["description"], "dist-tags": { [tag]: version } },
    versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
    ...(access !== undefined && { access }),
    _attachments: {
      [file]: {
        content_type: "application/octet-stream",
        data: Buffer.from(bytes).toString("base64"),
        length: bytes.length,
      },
    },
  };
  const answer = await httpRequest({
    ...{ url, method: "PUT", body: JSON.stringify(document), signal, maxBytes: 1024 * 1024 },
    headers: { authorization, "content-type": "application/json", ...(otp !== undefined && { "npm-otp": otp }) },
  });
  requireSuccess(answer, `cannot publish ${name}@${version}${reason(answer.bytes)}`);
  return integrity;
}

/** What the registry says, in brackets. */
function reason(bytes: Uint8Array): string {
  const document: unknown = jsonValue(Buffer.from(bytes).toString());
  const error = isRecord(document) ? (document["error"] ?? document["reason"]) : undefined;
  return typeof error === "string" ? ` (${error.slice(0, 200)})` : "";
}
