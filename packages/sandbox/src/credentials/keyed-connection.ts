import { isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect, type SecureContext, TLSSocket } from "node:tls";
import { errorMessage, secretForms } from "@mdx-ai/base";
import { ByteReader } from "./byte-reader.ts";
import { KeyMask } from "./key-mask.ts";
import { maskedResponse, UnreadableResponseError } from "./masked-response.ts";
import { keyedRequest } from "./request-head.ts";
import { type CredentialKey, plainProblem, type SandboxCredential } from "./sandbox-credential.ts";

const HEAD_LIMIT = 65_536;

/** How long a client may take for its handshake and its request, or be idle after the answer, in milliseconds. */
const IDLE_MILLISECONDS = 30_000;

/** The first byte of a TLS connection. */
const HANDSHAKE = 0x16;

/** A connection of a sandboxed program to a host with a credential. */
export interface KeyedConnection {
  readonly credential: SandboxCredential;
  /** In small letters, without brackets and a dot at its end. */
  readonly host: string;
  readonly port: number;
  /** Whether a `Host` header names this host. */
  readonly isHost: (text: string) => boolean;
  readonly client: Socket;
  /** Is connected to the host. */
  readonly server: Socket;
  /** Receives why a request failed, as a line without a full stop. */
  readonly onProblem: (problem: string) => void;
}

interface KeyedServices {
  /** Of the host, for the client. */
  readonly certificate: SecureContext;
  /** The authorities of the host's own certificate. */
  readonly trusted: SecureContext;
  /** Receives each handshake with a client, which is over when the promise is settled. */
  readonly onHandshake: (handshake: Promise<unknown>) => void;
}

/** A request was not sent, or its answer is not passed on. The message is a line without a full stop. */
class KeyedRequestError extends Error {
  override readonly name = "KeyedRequestError";
  readonly status: string;

  constructor(status: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Serves one request, after which the connection ends: no request can then become a part of another one. Never rejects. */
export async function serveKeyed(connection: KeyedConnection, services: KeyedServices): Promise<void> {
  const { client, server, onProblem } = connection;
  client.once("close", () => server.destroy());
  const deadline = setTimeout(() => client.destroy(), IDLE_MILLISECONDS).unref();
  let inside: Duplex = client;
  try {
    if ((await firstByte(client)) !== HANDSHAKE)
      throw new KeyedRequestError("403 Forbidden", plainProblem(connection.credential));
    const accepting = acceptSecurely(connection, services);
    services.onHandshake(accepting);
    const secured = await accepting;
    inside = secured;
    const reader = new ByteReader(secured);
    const head = await reader.until("\r\n\r\n", HEAD_LIMIT);
    clearTimeout(deadline);
    await exchange(connection, { head, reader, inside: secured }, services);
  } catch (error) {
    clearTimeout(deadline);
    if (!(error instanceof KeyedRequestError)) return void client.destroy();
    onProblem(error.message);
    inside.end(refusal(error));
  }
  client.setTimeout(IDLE_MILLISECONDS, () => client.destroy());
}

interface ReceivedRequest {
  /** Without its final empty line, one character a byte. */
  readonly head: string;
  /** Reads what follows. */
  readonly reader: ByteReader;
  readonly inside: TLSSocket;
}

/** Sends a request with its key, and its answer back without. Rejects with `KeyedRequestError`. */
async function exchange(
  connection: KeyedConnection,
  { head, reader, inside }: ReceivedRequest,
  services: KeyedServices,
): Promise<void> {
  const { credential, host, port, isHost, client } = connection;
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const key = await readKey(credential);
  const request = keyedRequest(head, {
    authority: port === 443 ? name : `${name}:${port}`,
    ...{ isHost, header: credential.header, value: key.value },
  });
  if ("refusal" in request) throw new KeyedRequestError(request.status, request.refusal);
  const outside = await connectSecurely(connection, services);
  outside.write(request.head, "latin1");
  // The client may send more of its body after the host has answered and left.
  pipeline(reader.rest(), outside, { end: false }).catch(() => {});
  const answer = maskedResponse(outside, request.method, new KeyMask(formsOf(key)));
  const first = await answer.next().catch((error: unknown) => {
    throw new KeyedRequestError("502 Bad Gateway", new KeyMask(formsOf(key)).text(lostText(host, error)));
  });
  // A host that breaks off must not look as if its answer were complete.
  if (!first.done) await pipeline(following(first.value, answer), inside).catch(() => client.destroy());
  outside.destroy();
}

const lostText = (host: string, error: unknown): string =>
  error instanceof UnreadableResponseError
    ? `the answer of ${host} is not passed on, since a key in it would not be found: ${error.message}`
    : `the answer of ${host} did not arrive: ${errorMessage(error)}`;

/** Takes the handshake of the client. Rejects if it does not trust the certificate. */
async function acceptSecurely(
  { client, credential, onProblem }: KeyedConnection,
  { certificate }: KeyedServices,
): Promise<TLSSocket> {
  const options = { isServer: true, secureContext: certificate, ALPNProtocols: ["http/1.1"] };
  const inside = new TLSSocket(client, options);
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

/** Verifies the certificate of the host before anything is sent to it. Rejects with `KeyedRequestError`. */
async function connectSecurely({ server, host }: KeyedConnection, { trusted }: KeyedServices): Promise<TLSSocket> {
  const outside = connect({
    ...{ socket: server, host, secureContext: trusted, ALPNProtocols: ["http/1.1"] },
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await opened(outside, "secureConnect");
    if (!outside.authorized) throw outside.authorizationError;
    return outside;
  } catch (cause) {
    outside.destroy();
    const reason = `the certificate of ${host} is not trusted, so it gets no key: ${errorMessage(cause)}`;
    throw new KeyedRequestError("502 Bad Gateway", reason, { cause });
  }
}

async function readKey(credential: SandboxCredential): Promise<CredentialKey> {
  try {
    return await credential.read();
  } catch (cause) {
    const reason = `the key for ${credential.host} is missing: ${errorMessage(cause)}`;
    throw new KeyedRequestError("502 Bad Gateway", reason, { cause });
  }
}

/** A key as it may occur in an answer, and the words of the header that hold it, encoded or not. */
const formsOf = ({ key, value }: CredentialKey): readonly string[] =>
  [key, ...value.split(" ").filter((word) => word.length >= key.length)].flatMap(secretForms);

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

function refusal({ status, message }: KeyedRequestError): string {
  const text = `mdx-ai: ${message}\n`;
  const length = Buffer.byteLength(text);
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${text}`;
}
