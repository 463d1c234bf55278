import { rmSync, writeFileSync } from "node:fs";
import { isIP, type Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect, createSecureContext, type SecureContext, TLSSocket } from "node:tls";
import { type Environment, errorMessage, secretForms } from "@mdx-ai/base";
import { ByteReader } from "./byte-reader.ts";
import { CertificateAuthority } from "./certificate-authority.ts";
import { KeyMask } from "./key-mask.ts";
import { maskedResponse, UnreadableResponseError } from "./masked-response.ts";
import { keyedRequest } from "./request-head.ts";
import { type CredentialKey, placeholderOf, type SandboxCredential } from "./sandbox-credential.ts";
import { certificateVariables, trustedCertificates } from "./trusted-certificates.ts";

/** The path of the trusted certificates in a sandbox. */
const INSIDE = "/run/mdx-ai-certificates.pem";

const HEAD_LIMIT = 65_536;

/** How long a client may take for its handshake and its request, in milliseconds. */
const HEAD_MILLISECONDS = 30_000;

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"] as const;

/** The first byte of a TLS connection. */
const HANDSHAKE = 0x16;

/** A connection of a sandboxed program to a host with a credential. */
export interface KeyedConnection {
  readonly credential: SandboxCredential;
  /** The host without brackets, and its port. */
  readonly host: string;
  readonly port: number;
  /** Whether a `Host` header of a client, for this scheme's default port, names this host. */
  readonly isHost: (text: string, defaultPort: number) => boolean;
  readonly client: Socket;
  /** Is connected to the host. */
  readonly server: Socket;
  /** The head of the request, without its final empty line, if the client asked the proxy for a URL; undefined in a tunnel. */
  readonly head: string | undefined;
  /** Receives why a request failed, as a line without a full stop. */
  readonly onProblem: (problem: string) => void;
}

/** A request was not sent. The message is a line without a full stop. */
class UnsentRequestError extends Error {
  override readonly name = "UnsentRequestError";
  readonly status: string;

  constructor(status: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/**
 * Puts the keys of the user into requests of sandboxed programs. For each host with a credential it shows a certificate that only
 * these programs trust, and connects to the host itself, whose certificate it verifies.
 */
export class KeyInjector {
  readonly #credentials: readonly SandboxCredential[];
  readonly #authority = new CertificateAuthority();
  readonly #contexts = new Map<string, SecureContext>();
  readonly #trusted: SecureContext;
  /** A file with the certificates that sandboxed programs trust. Absolute. */
  readonly #file: string;
  /** Files of the host and the paths at which sandboxes show them. Absolute. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Whether the user's network requires another proxy, which programs that reach all hosts then use. */
  readonly isBehindProxy: boolean;
  /** The variables of sandboxed programs. */
  readonly environment: Readonly<Record<string, string>>;

  /** Writes a file into this folder. Throws the file system's error. */
  constructor(credentials: readonly SandboxCredential[], environment: Environment, folder: string) {
    this.#credentials = credentials;
    this.isBehindProxy = PROXIES.some((name) => [name, name.toLowerCase()].some((one) => environment[one]));
    const { text, files } = trustedCertificates(environment);
    this.#trusted = createSecureContext({ ca: text });
    this.#file = join(folder, `${process.pid}-${crypto.randomUUID()}.pem`);
    writeFileSync(this.#file, text + this.#authority.certificate, { mode: 0o444, flag: "wx" });
    this.mounts = new Map([INSIDE, ...files].map((path) => [path, this.#file]));
    const placeholders = credentials.map((one) => [one.variable, placeholderOf(one)] as const);
    // Without it, Node uses no proxy.
    const own = { NODE_USE_ENV_PROXY: "1" };
    this.environment = { ...own, ...certificateVariables(INSIDE), ...Object.fromEntries(placeholders) };
  }

  /** The credential for which `isFor` is true of its host, if there is one. */
  find(isFor: (host: string) => boolean): SandboxCredential | undefined {
    return this.#credentials.find(({ host }) => isFor(host));
  }

  /** The hosts with a credential. */
  get hosts(): readonly string[] {
    return this.#credentials.map(({ host }) => host);
  }

  /** Serves one request, after which the connection ends: no request can then become a part of another one. Never rejects. */
  async serve(connection: KeyedConnection): Promise<void> {
    const { client, server, onProblem } = connection;
    client.once("close", () => server.destroy());
    const deadline = setTimeout(() => client.destroy(), HEAD_MILLISECONDS).unref();
    let inside: Duplex = client;
    try {
      const isSecure = connection.head === undefined && (await firstByte(client)) === HANDSHAKE;
      if (isSecure) inside = await this.#accept(connection);
      const reader = new ByteReader(inside);
      const text = connection.head ?? (await reader.until("\r\n\r\n", HEAD_LIMIT));
      clearTimeout(deadline);
      await this.#exchange(connection, { text, reader, inside, isSecure });
    } catch (error) {
      clearTimeout(deadline);
      if (!(error instanceof UnsentRequestError)) return void client.destroy();
      onProblem(error.message);
      inside.end(refusal(error));
    }
  }

  /** Never throws. */
  close(): void {
    rmSync(this.#file, { force: true });
  }

  /** Rejects with `UnsentRequestError`, or with the error of a connection. */
  async #exchange(
    connection: KeyedConnection,
    { text, reader, inside, isSecure }: { text: string; reader: ByteReader; inside: Duplex; isSecure: boolean },
  ): Promise<void> {
    const { credential, host, port, isHost, client } = connection;
    if (!isSecure && !isLoopback(host))
      throw new UnsentRequestError("403 Forbidden", `the key for ${credential.host} is sent by https only`);
    const defaultPort = isSecure ? 443 : 80;
    const name = isIP(host) === 6 ? `[${host}]` : host;
    const { key, value } = await readKey(credential);
    const request = keyedRequest(text, {
      authority: port === defaultPort ? name : `${name}:${port}`,
      isHost: (other) => isHost(other, defaultPort),
      ...{ header: credential.header, value },
    });
    if ("refusal" in request) throw new UnsentRequestError(request.status, request.refusal);
    const outside = isSecure ? await this.#connect(connection) : connection.server;
    outside.write(request.head, "latin1");
    // The client may send more of its body after the host has answered and left.
    pipeline(reader.rest(), outside, { end: false }).catch(() => {});
    const mask = new KeyMask(formsOf({ key, value }));
    const answer = maskedResponse(outside, request.method, mask);
    const first = await answer.next().catch((error: unknown) => {
      const what =
        error instanceof UnreadableResponseError
          ? "is not passed on, since a key in it would not be found"
          : "did not arrive";
      throw new UnsentRequestError("502 Bad Gateway", `the answer of ${host} ${what}: ${errorMessage(error)}`);
    });
    if (first.done) return;
    await pipeline(following(first.value, answer), inside).catch(() => client.destroy());
    outside.destroy();
  }

  /** Takes the handshake of the client. Rejects if it does not trust the certificate. */
  async #accept({ client, host, credential, onProblem }: KeyedConnection): Promise<TLSSocket> {
    const secureContext = this.#contexts.get(host) ?? createSecureContext(this.#authority.issue(host));
    this.#contexts.set(host, secureContext);
    const inside = new TLSSocket(client, { isServer: true, secureContext, ALPNProtocols: ["http/1.1"] });
    try {
      await opened(inside, "secure");
      return inside;
    } catch (error) {
      onProblem(
        `a program did not accept the certificate by which the sandbox puts in the key for ${credential.host}: it pins another one, or has a list of its own; let it trust the file that SSL_CERT_FILE names, or remove the host from \`credentials\` and name the variable in the tool's \`env\``,
      );
      throw error;
    }
  }

  async #connect({ server, host }: KeyedConnection): Promise<TLSSocket> {
    const outside = connect({
      ...{ socket: server, host, secureContext: this.#trusted, ALPNProtocols: ["http/1.1"] },
      ...(isIP(host) === 0 && { servername: host }),
    });
    try {
      await opened(outside, "secureConnect");
      if (!outside.authorized) throw outside.authorizationError;
      return outside;
    } catch (cause) {
      outside.destroy();
      const reason = `the certificate of ${host} is not trusted, so it gets no key: ${errorMessage(cause)}`;
      throw new UnsentRequestError("502 Bad Gateway", reason, { cause });
    }
  }
}

async function readKey(credential: SandboxCredential): Promise<CredentialKey> {
  try {
    return await credential.read();
  } catch (cause) {
    const reason = `the key for ${credential.host} is missing: ${errorMessage(cause)}`;
    throw new UnsentRequestError("502 Bad Gateway", reason, { cause });
  }
}

/** A key, and what a header holds besides the name of its scheme. */
const formsOf = ({ key, value }: CredentialKey): readonly string[] =>
  [key, value.slice(value.lastIndexOf(" ") + 1)].flatMap(secretForms);

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

/** Waits for an event; rejects if the connection ends first. */
function opened(socket: TLSSocket, event: "secure" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, () => resolve());
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("the connection was closed")));
  });
}

/** The first byte that a client sends, which it then reads again. Never resolves if there is none. */
function firstByte(client: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    client.once("data", (bytes: Buffer) => {
      client.pause();
      client.unshift(bytes);
      resolve(bytes[0]);
    });
    client.resume();
  });
}

async function* following(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function refusal({ status, message }: UnsentRequestError): string {
  const text = `mdx-ai: ${message}\n`;
  const length = Buffer.byteLength(text);
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`;
}
