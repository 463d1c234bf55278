import type { Client, ClientDuplexStream } from "@grpc/grpc-js";
import type { PackageDefinition } from "@grpc/proto-loader";
import { isRecord, whenAborted } from "@mdx-ai/base";
import type { GrpcTarget } from "@mdx-ai/parser/entrypoints";
import { EntrypointError } from "../entrypoint.ts";
import { REFLECTION_SERVICES, type ReflectionQuestion, reflectionProtocol } from "./reflection-protocol.ts";
import { MESSAGE_OPTIONS, methodIn, type ServiceMethod } from "./service-method.ts";

/** The most files that describe a service, and their bytes. */
const MAX_FILES = 500;
const MAX_BYTES = 1024 * 1024;

/** The error code of a server that does not know the service. */
const UNIMPLEMENTED = 12;

interface ReflectionOptions {
  readonly deadline: Date;
  readonly signal: AbortSignal;
}

type Protocol = Awaited<ReturnType<typeof reflectionProtocol>>;

/** Asks a server for the description of a method. Rejects with `EntrypointError` or the error of the call. */
export async function reflectedMethod(
  client: Client,
  target: GrpcTarget,
  options: ReflectionOptions,
): Promise<ServiceMethod> {
  const protocol = await reflectionProtocol();
  for (const service of REFLECTION_SERVICES) {
    try {
      return methodIn(await described(client, { service, symbol: target.service, protocol }, options), target);
    } catch (error) {
      if (!isUnimplemented(error)) throw error;
    }
  }
  throw new EntrypointError(
    "the server does not describe its services: write `proto: FILE` in the frontmatter of the skill, or let the server offer reflection",
  );
}

const isUnimplemented = (error: unknown): boolean => isRecord(error) && error["code"] === UNIMPLEMENTED;

interface Asking {
  /** A version of the protocol. */
  readonly service: string;
  readonly symbol: string;
  readonly protocol: Protocol;
}

async function described(
  client: Client,
  { service, symbol, protocol }: Asking,
  { deadline, signal }: ReflectionOptions,
): Promise<PackageDefinition> {
  const { path, requestSerialize, responseDeserialize } = protocol.ask;
  const ownPath = path.replace("ServerReflection/", `${service}/`);
  using conversation = new Conversation(
    client.makeBidiStreamRequest(ownPath, requestSerialize, responseDeserialize, { deadline }),
    signal,
  );
  const files = await collectFiles(symbol, (question) => conversation.ask(question), protocol);
  const { loadFileDescriptorSetFromBuffer } = await import("@grpc/proto-loader");
  return readable(() => loadFileDescriptorSetFromBuffer(descriptorSet(files), MESSAGE_OPTIONS));
}

/** The file with a symbol and all that it imports. A server may send imported files unasked. */
async function collectFiles(
  symbol: string,
  ask: (question: ReflectionQuestion) => Promise<object>,
  { head }: Protocol,
): Promise<readonly Uint8Array[]> {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly imports: readonly string[] }>();
  let bytesLeft = MAX_BYTES;
  const take = (answer: object): void => {
    for (const bytes of filesIn(answer, symbol)) {
      bytesLeft -= bytes.length;
      if (bytesLeft < 0 || files.size >= MAX_FILES)
        throw new EntrypointError(`the server's description of ${symbol} is too large`);
      const { name, imports } = headOf(head, bytes);
      if (!files.has(name)) files.set(name, { bytes, imports });
    }
  };
  take(await ask({ file_containing_symbol: symbol }));
  for (;;) {
    const missing = [...files.values()].flatMap(({ imports }) => imports).find((name) => !files.has(name));
    if (missing === undefined) return [...files.values()].map(({ bytes }) => bytes);
    take(await ask({ file_by_filename: missing }));
    if (!files.has(missing))
      throw new EntrypointError(`the server does not describe ${missing}, which it needs for ${symbol}`);
  }
}

function filesIn(answer: object, symbol: string): readonly Uint8Array[] {
  const failure: unknown = Reflect.get(answer, "error_response");
  if (isRecord(failure))
    throw new EntrypointError(`the server does not know ${symbol}: ${String(failure["error_message"])}`);
  const response: unknown = Reflect.get(answer, "file_descriptor_response");
  const files = isRecord(response) ? response["file_descriptor_proto"] : undefined;
  return Array.isArray(files) ? files.filter((file): file is Uint8Array => file instanceof Uint8Array) : [];
}

function headOf(
  { responseDeserialize }: Protocol["head"],
  bytes: Uint8Array,
): { readonly name: string; readonly imports: readonly string[] } {
  const head = readable(() => responseDeserialize(Buffer.from(bytes)));
  const imports: unknown = Reflect.get(head, "dependency");
  return {
    name: String(Reflect.get(head, "name")),
    imports: Array.isArray(imports) ? imports.filter((name): name is string => typeof name === "string") : [],
  };
}

function readable<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new EntrypointError(`the server's description of its service cannot be read: ${String(cause)}`, {
      cause,
    });
  }
}

/** A google.protobuf.FileDescriptorSet: each file as its field 1. */
function descriptorSet(files: readonly Uint8Array[]): Buffer {
  return Buffer.concat(files.flatMap((file) => [Buffer.from([0x0a]), lengthOf(file), file]));
}

/** A varint of protocol buffers: seven bits per byte, lowest first. */
function lengthOf({ length }: Uint8Array): Buffer {
  const bytes: number[] = [];
  for (let left = length; ; left >>>= 7) {
    if (left < 0x80) return Buffer.from([...bytes, left]);
    bytes.push((left & 0x7f) | 0x80);
  }
}

interface Waiting {
  resolve(answer: object): void;
  reject(error: unknown): void;
}

/** Sequential questions to a server. Dispose it when all are answered. */
class Conversation implements Disposable {
  readonly #stream: ClientDuplexStream<object, object>;
  readonly #listener: Disposable;
  #waiting: Waiting | undefined;
  #end: unknown;

  constructor(stream: ClientDuplexStream<object, object>, signal: AbortSignal) {
    this.#stream = stream;
    stream.on("data", (answer: object) => this.#take()?.resolve(answer));
    stream.on("error", (error) => this.#stop(error));
    stream.on("end", () => this.#stop(new EntrypointError("the server ended the description of its service")));
    this.#listener = whenAborted(signal, () => stream.cancel());
  }

  ask(question: ReflectionQuestion): Promise<object> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end);
      this.#waiting = { resolve, reject };
      this.#stream.write(question);
    });
  }

  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
    this.#stream.cancel();
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #stop(error: unknown): void {
    this.#end ??= error;
    this.#take()?.reject(error);
  }
}
