import { createHash } from "node:crypto";
import { isRecord } from "@mdx-ai/base";

export interface NpmRegistryOptions {
  /** The token that every request must have. */
  readonly token?: string;
}

/** A registry of npm on the loopback: it gives documents and packages, and takes `npm publish`. Keeps everything in memory. */
export interface NpmRegistry extends Disposable {
  /** Ends with "/". */
  readonly url: string;
  /** Every request as "GET /name". */
  readonly requests: string[];
  /** The `authorization` of every request. */
  readonly authorizations: (string | null)[];
  /** Adds a version without asking anybody; the newest is "latest". */
  add(name: string, version: string, archive: Uint8Array, changes?: Readonly<Record<string, unknown>>): void;
  /** The document of a package. */
  document(name: string): unknown;
}

interface Package {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, unknown>;
}

export function npmRegistry({ token }: NpmRegistryOptions = {}): NpmRegistry {
  const packages = new Map<string, Package>();
  const archives = new Map<string, Uint8Array>();
  const requests: string[] = [];
  const authorizations: (string | null)[] = [];
  const packageOf = (name: string): Package => {
    const found = packages.get(name) ?? { name, "dist-tags": {}, versions: {} };
    packages.set(name, found);
    return found;
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push(`${request.method} ${pathname}`);
      authorizations.push(request.headers.get("authorization"));
      if (token !== undefined && authorizations.at(-1) !== `Bearer ${token}`) return new Response("", { status: 401 });
      const archive = archives.get(pathname);
      if (archive !== undefined) return new Response(archive);
      const name = decodeURIComponent(pathname.slice(1));
      if (request.method === "PUT") return publish(packageOf(name), await request.json());
      const found = packages.get(name);
      return found === undefined ? Response.json({ error: "Not found" }, { status: 404 }) : Response.json(found);
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const keep = (name: string, version: string, archive: Uint8Array): string => {
    const path = `/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
    archives.set(path, archive);
    return `${url.slice(0, -1)}${path}`;
  };

  /** Adds one version of a document with its archive; returns what is wrong with it. */
  function addVersion(to: Package, version: string, manifest: unknown, attachment: unknown): string | undefined {
    if (version in to.versions) return `cannot publish over ${version}`;
    if (!isRecord(manifest) || !isRecord(attachment) || !isRecord(manifest["dist"])) return "no attachment";
    const archive = Buffer.from(String(attachment["data"]), "base64");
    if (archive.length !== attachment["length"]) return "wrong length";
    if (manifest["dist"]["integrity"] !== integrityOf(archive)) return "wrong hash";
    const tarball = keep(to.name, version, archive);
    to.versions[version] = { ...manifest, dist: { ...manifest["dist"], tarball } };
    return undefined;
  }

  /** As the registry does: the versions and tags of the document are added, and each needs its archive. */
  function publish(to: Package, document: unknown): Response {
    const { versions, _attachments: attachments } = isRecord(document) ? document : {};
    if (!isRecord(document) || !isRecord(versions) || !isRecord(attachments)) return new Response("", { status: 400 });
    const [attachment] = Object.values(attachments);
    for (const [version, manifest] of Object.entries(versions)) {
      const error = addVersion(to, version, manifest, attachment);
      if (error !== undefined) return Response.json({ error }, { status: 403 });
    }
    Object.assign(to["dist-tags"], document["dist-tags"]);
    return Response.json({ ok: true }, { status: 201 });
  }

  return {
    ...{ url, requests, authorizations },
    add(name, version, archive, changes = {}) {
      const dist = { tarball: keep(name, version, archive), integrity: integrityOf(archive), ...changes };
      const to = packageOf(name);
      to.versions[version] = { name, version, dist };
      to["dist-tags"]["latest"] = version;
    },
    document: (name) => packages.get(name),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const integrityOf = (archive: Uint8Array): string => `sha512-${createHash("sha512").update(archive).digest("base64")}`;
