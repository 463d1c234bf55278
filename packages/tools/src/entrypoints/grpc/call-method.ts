import type { ChannelOptions, Client, ServiceError } from "@grpc/grpc-js";
import { isRecord, type JsonObject, whenAborted } from "@mdx-ai/base";
import { OUTPUT_LIMIT, type ToolResult, textResult, withNote } from "@mdx-ai/loop";
import type { GrpcTarget } from "@mdx-ai/parser/entrypoints";
import { EntrypointError, givenArguments } from "../entrypoint.ts";
import { allowedAddresses, type ToolNetwork, timeLimit } from "../network-address.ts";
import { reflectedMethod } from "./reflected-method.ts";
import { declaredMethod, requestBytes, type ServiceMethod } from "./service-method.ts";

/** A call of a method. */
export interface MethodCall {
  readonly target: GrpcTarget;
  /** The proto file of the service, relative to the folder; if absent, the server is asked. */
  readonly proto: string | undefined;
  /** The folder of the skill. Absolute. */
  readonly folder: string;
  readonly args: JsonObject;
  readonly seconds: number;
}

/** The largest message, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The most characters of a stream's messages, which leaves room for the note in the result. */
const MAX_TEXT = OUTPUT_LIMIT - 200;
const MAX_MESSAGES = 1_000;

interface Running {
  readonly client: Client;
  readonly deadline: Date;
  readonly signal: AbortSignal;
}

/** Calls a method and returns its answer as JSON, or the answers of a stream as a list. Rejects with `EntrypointError`. */
export async function callMethod(call: MethodCall, network: ToolNetwork, signal: AbortSignal): Promise<ToolResult> {
  const { target, args, seconds } = call;
  const deadline = new Date(Date.now() + seconds * 1000);
  const { Client, credentials, status } = await import("@grpc/grpc-js");
  const addresses = await allowedAddresses(target.server, network, AbortSignal.any([signal, timeLimit(seconds)]));
  const { isSecure } = target.server;
  const trust = isSecure ? credentials.createSsl() : credentials.createInsecure();
  const client = new Client(pinned(addresses, target), trust, channelOptions(target));
  const running = { client, deadline, signal };
  try {
    const method = await methodOf(call, running);
    if (method.requestStream)
      throw new EntrypointError(`${target.method} takes a stream of messages, which no tool can send`);
    const request = requestBytes(method, givenArguments(args));
    return method.responseStream ? await streamed(method, request, running) : await answered(method, request, running);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw new EntrypointError(`gRPC ${status[error.code] ?? error.code}: ${error.details}`, { cause: error });
  } finally {
    client.close();
  }
}

function methodOf(
  { proto, folder, target }: MethodCall,
  { client, deadline, signal }: Running,
): Promise<ServiceMethod> {
  return proto === undefined
    ? reflectedMethod(client, target, { deadline, signal })
    : declaredMethod(folder, proto, target);
}

/** The checked addresses of one family: the name is not resolved again. */
function pinned(addresses: readonly string[], { server: { port } }: GrpcTarget): string {
  const isV6 = addresses[0]?.includes(":") === true;
  const ofKind = addresses.filter((address) => address.includes(":") === isV6);
  return `${isV6 ? "ipv6" : "ipv4"}:${ofKind.map((address) => (isV6 ? `[${address}]:${port}` : `${address}:${port}`)).join(",")}`;
}

function channelOptions({ server: { host, port } }: GrpcTarget): ChannelOptions {
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    "grpc.default_authority": `${name}:${port}`,
    "grpc.ssl_target_name_override": host,
    "grpc.enable_http_proxy": 0,
    "grpc.enable_retries": 0,
    "grpc.service_config_disable_resolution": 1,
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc.max_send_message_length": MAX_BYTES,
  };
}

/** The request is already encoded. */
const asIs = (bytes: Buffer): Buffer => bytes;

async function answered(
  { path, responseDeserialize }: ServiceMethod,
  request: Buffer,
  { client, deadline, signal }: Running,
): Promise<ToolResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
  const call = client.makeUnaryRequest(path, asIs, responseDeserialize, request, { deadline }, (error, answer) => {
    if (error !== null) reject(error);
    else resolve(textResult(JSON.stringify(answer ?? null)));
  });
  using _listener = whenAborted(signal, () => call.cancel());
  return await promise;
}

async function streamed(
  { path, responseDeserialize }: ServiceMethod,
  request: Buffer,
  { client, deadline, signal }: Running,
): Promise<ToolResult> {
  const stream = client.makeServerStreamRequest(path, asIs, responseDeserialize, request, { deadline });
  using _listener = whenAborted(signal, () => stream.cancel());
  // A stream that is cancelled after its messages were read ends with an error, which is ignored.
  stream.on("error", () => {});
  const messages: string[] = [];
  let left = MAX_TEXT;
  try {
    for await (const message of stream) {
      const text = JSON.stringify(message);
      left -= text.length + 2;
      if (messages.length > 0 && (left < 0 || messages.length === MAX_MESSAGES)) {
        const note = `[the stream continues after ${messages.length} messages: the rest was not read]`;
        return withNote(textResult(`[${messages.join(",\n")}]`), note);
      }
      messages.push(text);
    }
    return textResult(`[${messages.join(",\n")}]`);
  } finally {
    stream.cancel();
  }
}

const isServiceError = (error: unknown): error is ServiceError =>
  isRecord(error) && typeof error["code"] === "number" && typeof error["details"] === "string";
