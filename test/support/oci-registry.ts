import { createHash } from "node:crypto";

export interface OciRegistryOptions {
  /** What must be sent to the registry's address for tokens, as `user:password`; then every request needs a token. */
  readonly login?: string;
  /** What may be sent there instead: a token of an earlier sign-in. */
  readonly identityToken?: string;
  /** Whether each request needs the login itself, without tokens. */
  readonly isBasic?: boolean;
  /** Sends readers of blobs to another server on the loopback, as registries with a store elsewhere do. */
  readonly redirects?: boolean;
}

/** A registry of the distribution API on the loopback, in memory. It checks digests, lengths and order, as the specification says. */
export interface OciRegistry extends Disposable {
  /** With its port. */
  readonly host: string;
  /** Every request as "GET /v2/…". */
  readonly requests: string[];
  /** The `authorization` of every request to the store of blobs, if that is elsewhere. */
  readonly storeAuthorizations: (string | null)[];
  readonly blobs: Map<string, Uint8Array>;
  /** Manifests by `repository:tag` and `repository@digest`, with their media type. */
  readonly manifests: Map<string, StoredManifest>;
}

interface StoredManifest {
  readonly bytes: Uint8Array;
  readonly type: string;
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const failure = (status: number, code: string): Response => Response.json({ errors: [{ code }] }, { status });

export function ociRegistry({
  login,
  identityToken,
  isBasic = false,
  redirects = false,
}: OciRegistryOptions = {}): OciRegistry {
  const blobs = new Map<string, Uint8Array>();
  const manifests = new Map<string, StoredManifest>();
  const requests: string[] = [];
  const storeAuthorizations: (string | null)[] = [];
  const tokens = new Map<string, string>();
  const uploads = new Map<string, Uint8Array>();

  const store = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      storeAuthorizations.push(request.headers.get("authorization"));
      return new Response(blobs.get(new URL(request.url).pathname.slice(1)) ?? null);
    },
  });

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      requests.push(`${request.method} ${url.pathname}`);
      if (url.pathname === "/token") return await giveToken(request, url);
      const [, repository = "", kind = "", rest = ""] =
        /^\/v2\/(.+)\/(blobs|manifests)\/(.*)$/.exec(url.pathname) ?? [];
      const denied = checkAccess(request, url, repository);
      if (denied !== undefined) return denied;
      if (url.pathname === "/v2/") return Response.json({});
      if (kind === "manifests") return await manifest(request, repository, rest);
      return kind === "blobs" ? await blob(request, url, repository, rest) : failure(404, "NAME_UNKNOWN");
    },
  });
  const host = `127.0.0.1:${server.port}`;

  const basicOfLogin = `Basic ${Buffer.from(login ?? "").toString("base64")}`;

  async function giveToken(request: Request, url: URL): Promise<Response> {
    const isPost = request.method === "POST";
    const asked = isPost ? new URLSearchParams(await request.text()) : url.searchParams;
    const isKnown = isPost
      ? asked.get("grant_type") === "refresh_token" && asked.get("refresh_token") === identityToken
      : request.headers.get("authorization") === basicOfLogin;
    if (!isKnown || asked.get("service") !== "referee") return failure(401, "UNAUTHORIZED");
    const token = crypto.randomUUID();
    tokens.set(token, asked.get("scope") ?? "");
    return Response.json(isPost ? { access_token: token } : { token });
  }

  const challenged = (challenge: string): Response =>
    new Response(null, { status: 401, headers: { "www-authenticate": challenge } });

  function checkAccess(request: Request, url: URL, repository: string): Response | undefined {
    const authorization = request.headers.get("authorization");
    if (login === undefined || (isBasic && authorization === basicOfLogin)) return undefined;
    if (isBasic) return challenged('Basic realm="referee"');
    const action = request.method === "GET" || request.method === "HEAD" ? "pull" : "push";
    const scope = tokens.get(authorization?.replace(/^Bearer /, "") ?? "");
    if (scope !== undefined && (url.pathname === "/v2/" || permits(scope, repository, action))) return undefined;
    const wanted = `scope="repository:${repository}:${action}"`;
    return challenged(`Bearer realm="http://${host}/token",service="referee",${wanted}`);
  }

  const nameOf = (repository: string, reference: string): string =>
    reference.startsWith("sha256:") ? `${repository}@${reference}` : `${repository}:${reference}`;

  async function manifest(request: Request, repository: string, reference: string): Promise<Response> {
    if (request.method === "PUT") return await putManifest(request, repository, reference);
    const found = manifests.get(nameOf(repository, reference));
    if (found === undefined) return failure(404, "MANIFEST_UNKNOWN");
    return new Response(request.method === "HEAD" ? null : found.bytes, {
      headers: { "content-type": found.type, "docker-content-digest": digestOf(found.bytes) },
    });
  }

  async function putManifest(request: Request, repository: string, reference: string): Promise<Response> {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const digest = digestOf(bytes);
    if (reference.startsWith("sha256:") && reference !== digest) return failure(400, "DIGEST_INVALID");
    const { config, layers } = JSON.parse(Buffer.from(bytes).toString());
    for (const part of [config, ...layers])
      if (blobs.get(part.digest)?.length !== part.size) return failure(404, "MANIFEST_BLOB_UNKNOWN");
    const type = request.headers.get("content-type") ?? "";
    for (const key of [nameOf(repository, reference), `${repository}@${digest}`]) manifests.set(key, { bytes, type });
    return new Response(null, { status: 201, headers: { location: reference, "docker-content-digest": digest } });
  }

  async function blob(request: Request, url: URL, repository: string, rest: string): Promise<Response> {
    if (request.method === "POST" && rest === "uploads/") return startUpload(repository);
    const upload = rest.replace("uploads/", "");
    if (request.method === "PATCH") return await continueUpload(request, repository, upload);
    if (request.method === "PUT") return await finishUpload(request, url, repository, upload);
    const found = blobs.get(rest);
    if (found === undefined) return failure(404, "BLOB_UNKNOWN");
    if (request.method === "HEAD") return new Response(null, { headers: { "content-length": String(found.length) } });
    return redirects ? Response.redirect(`http://127.0.0.1:${store.port}/${rest}`, 307) : new Response(found);
  }

  const accepted = (repository: string, id: string): Response => {
    const location = `/v2/${repository}/blobs/uploads/${id}?state=${uploads.get(id)?.length}`;
    return new Response(null, { status: 202, headers: { location } });
  };

  function startUpload(repository: string): Response {
    const id = crypto.randomUUID();
    uploads.set(id, new Uint8Array());
    return accepted(repository, id);
  }

  async function received(request: Request, id: string): Promise<Uint8Array> {
    const bytes = Buffer.concat([uploads.get(id) ?? Buffer.of(), new Uint8Array(await request.arrayBuffer())]);
    uploads.set(id, bytes);
    return bytes;
  }

  async function continueUpload(request: Request, repository: string, id: string): Promise<Response> {
    if (!uploads.has(id)) return failure(404, "BLOB_UPLOAD_UNKNOWN");
    await received(request, id);
    return accepted(repository, id);
  }

  async function finishUpload(request: Request, url: URL, repository: string, id: string): Promise<Response> {
    if (url.searchParams.get("state") !== String(uploads.get(id)?.length)) return failure(404, "BLOB_UPLOAD_UNKNOWN");
    const bytes = await received(request, id);
    uploads.delete(id);
    const digest = digestOf(bytes);
    if (url.searchParams.get("digest") !== digest) return failure(400, "DIGEST_INVALID");
    blobs.set(digest, bytes);
    return new Response(null, { status: 201, headers: { location: `/v2/${repository}/blobs/${digest}` } });
  }

  return {
    ...{ host, requests, storeAuthorizations, blobs, manifests },
    [Symbol.dispose]: () => void Promise.all([server.stop(true), store.stop(true)]),
  };
}

/** Whether a token's scope, such as `repository:acme/weather:pull,push`, permits an action. */
const permits = (scope: string, repository: string, action: string): boolean =>
  scope.startsWith(`repository:${repository}:`) && (scope.split(":").at(-1) ?? "").split(",").includes(action);
