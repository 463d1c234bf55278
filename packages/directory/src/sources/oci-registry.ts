import { type Environment, isRecord, jsonValue } from "@mdx-ai/base";
import { type Credentials, dockerCredentials } from "./docker-credentials.ts";
import { type HttpAnswer, httpRequest, requireSuccess } from "./http-request.ts";
import { isLoopbackHost, isPrivateHost, privatePlace } from "./loopback.ts";
import { type Source, sourceError } from "./source.ts";

export interface RegistryOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** What the requests need: "pull", or "pull,push". */
  readonly actions: "pull" | "pull,push";
}

export interface RegistryRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly maxBytes?: number;
}

/** A manifest, a token or an error message. */
const MAX_DOCUMENT = 4 * 1024 * 1024;

/** One repository of a registry, by the distribution API. */
export class OciRepository {
  /** Ends with "/". */
  readonly url: URL;
  readonly #repository: string;
  readonly #host: string;
  readonly #options: RegistryOptions;
  #authorization: string | undefined;

  constructor(
    { host, repository }: Pick<Extract<Source, { type: "oci" }>, "host" | "repository">,
    options: RegistryOptions,
  ) {
    const isDockerHub = host === "docker.io";
    this.#host = host;
    this.#repository = isDockerHub && !repository.includes("/") ? `library/${repository}` : repository;
    const scheme = isLoopbackHost(host.replace(/:\d+$/, "")) ? "http" : "https";
    this.url = new URL(`${scheme}://${isDockerHub ? "registry-1.docker.io" : host}/v2/${this.#repository}/`);
    this.#options = options;
  }

  /** Sends a request, and signs in first if the registry asks for that. `url` is relative to the repository, or absolute. */
  async request(url: string | URL, request: RegistryRequest = {}): Promise<HttpAnswer> {
    const target = new URL(url, this.url);
    const first = await this.#send(target, request);
    if (first.status !== 401 || target.origin !== this.url.origin) return first;
    const authorization = await this.#signIn(first.headers.get("www-authenticate") ?? "");
    if (authorization === undefined || authorization === this.#authorization) return first;
    this.#authorization = authorization;
    return await this.#send(target, request);
  }

  async #send(url: URL, { headers, maxBytes = MAX_DOCUMENT, ...request }: RegistryRequest): Promise<HttpAnswer> {
    const authorization = url.origin === this.url.origin ? this.#authorization : undefined;
    const all = { ...headers, ...(authorization !== undefined && { authorization }) };
    return await httpRequest({ ...request, url, headers: all, signal: this.#options.signal, maxBytes });
  }

  /** The header for the next request, by what the registry asks for. */
  async #signIn(challenge: string): Promise<string | undefined> {
    const { environment, signal } = this.#options;
    const credentials = await dockerCredentials(this.#host, environment, signal);
    if (/^basic\b/i.test(challenge)) return credentials && basicHeader(credentials);
    if (!/^bearer\b/i.test(challenge)) return undefined;
    const parameters = parametersOf(challenge);
    const realm = URL.parse(parameters.get("realm") ?? "");
    if (realm === null) throw sourceError(`${this.#host} names no address for signing in`);
    if (isPrivateHost(realm.hostname) && !isPrivateHost(this.url.hostname)) {
      throw sourceError(`${this.#host} names ${privatePlace(realm)} for signing in, which is not used`);
    }
    const scope = `repository:${this.#repository}:${this.#options.actions}`;
    const query = { service: parameters.get("service") ?? this.#host, scope };
    return `Bearer ${await this.#token(realm, query, credentials)}`;
  }

  async #token(
    realm: URL,
    query: Readonly<Record<string, string>>,
    credentials: Credentials | undefined,
  ): Promise<string> {
    const { signal } = this.#options;
    const answer =
      credentials?.type === "token"
        ? await httpRequest({ url: realm, ...exchange(query, credentials.token), signal, maxBytes: MAX_DOCUMENT })
        : await httpRequest({
            url: withQuery(realm, query),
            headers: credentials === undefined ? {} : { authorization: basicHeader(credentials) ?? "" },
            signal,
            maxBytes: MAX_DOCUMENT,
          });
    const { bytes } = requireSuccess(answer, `cannot sign in at ${this.#host}`);
    const document: unknown = jsonValue(Buffer.from(bytes).toString());
    const token = isRecord(document) ? (document["token"] ?? document["access_token"]) : undefined;
    if (typeof token === "string") return token;
    throw sourceError(`${realm.host} gives no token for ${this.#host}`);
  }
}

const basicHeader = (credentials: Credentials): string | undefined =>
  credentials.type === "password"
    ? `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString("base64")}`
    : undefined;

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const all = new URL(url);
  for (const [name, value] of Object.entries(query)) all.searchParams.set(name, value);
  return all;
}

const exchange = (
  query: Readonly<Record<string, string>>,
  token: string,
): Required<Pick<RegistryRequest, "method" | "headers" | "body">> => ({
  method: "POST",
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams({
    ...query,
    grant_type: "refresh_token",
    client_id: "mdx-ai",
    refresh_token: token,
  }).toString(),
});

/** The parameters of a challenge such as `Bearer realm="https://…",service="…"`. */
const parametersOf = (challenge: string): ReadonlyMap<string, string> =>
  new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name.toLowerCase(), value]));
