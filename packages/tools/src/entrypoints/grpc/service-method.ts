import { isAbsolute, join, relative } from "node:path";
import type { AnyDefinition, MethodDefinition, Options, PackageDefinition } from "@grpc/proto-loader";
import { isRecord, isWithin, type JsonObject } from "@mdx-ai/base";
import { realPathOrSame, textUpTo } from "@mdx-ai/base/disk";
import type { GrpcTarget } from "@mdx-ai/parser/entrypoints";
import type { Root } from "protobufjs";
import { EntrypointError } from "../entrypoint.ts";

/** A method of a service, with the messages that it takes and returns. */
export type ServiceMethod = MethodDefinition<object, object>;

/** How messages become JSON: with the names in the proto file, and with default values. */
export const MESSAGE_OPTIONS: Options = {
  keepCase: true,
  defaults: true,
  arrays: true,
  json: true,
  longs: String,
  enums: String,
  bytes: String,
};

type MethodName = Pick<GrpcTarget, "service" | "method">;

/** Finds a method in the description from a proto file or a server. Throws `EntrypointError` with the available names. */
export function methodIn(definition: PackageDefinition, { service, method }: MethodName): ServiceMethod {
  const services = Object.entries(definition).flatMap(([name, one]) => (isService(one) ? [[name, one] as const] : []));
  const found = services.find(([name]) => name === service)?.[1];
  if (found === undefined) {
    throw new EntrypointError(`there is no service ${service}; ${listText(services.map(([name]) => name))}`);
  }
  const methods = Object.entries(found);
  const ofName = methods.find(([name]) => name === method)?.[1];
  if (ofName !== undefined) return ofName;
  throw new EntrypointError(
    `the service ${service} has no method ${method}; ${listText(methods.map(([name]) => name))}`,
  );
}

const MAX_NAMES = 20;

const listText = (names: readonly string[]): string =>
  names.length === 0 ? "none is available" : `available: ${names.slice(0, MAX_NAMES).join(", ")}`;

const isService = (definition: AnyDefinition): definition is { [method: string]: ServiceMethod } =>
  Object.values(definition).every((method) => isRecord(method) && typeof method["requestSerialize"] === "function");

/** The bytes of the message that the arguments describe. Throws `EntrypointError` if they do not fit. */
export function requestBytes({ requestType, requestSerialize }: ServiceMethod, args: JsonObject): Buffer {
  const names = fieldNames(requestType.type);
  const unknown = Object.keys(args).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new EntrypointError(`the message of the method has no field ${unknown.join(", ")}; ${listText(names)}`);
  }
  try {
    return requestSerialize(args);
  } catch (error) {
    throw new EntrypointError(`the arguments do not fit the message of the method: ${String(error)}`, { cause: error });
  }
}

function fieldNames(type: object): readonly string[] {
  const fields: unknown = Reflect.get(type, "field");
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field: unknown) =>
    isRecord(field) && typeof field["name"] === "string" ? [field["name"]] : [],
  );
}

/** Reads a method from a proto file of a skill. Rejects with `EntrypointError`. */
export async function declaredMethod(folder: string, proto: string, target: GrpcTarget): Promise<ServiceMethod> {
  // It includes Google's proto files.
  const { fromJSON } = await import("@grpc/proto-loader");
  const definition = await readProtoFiles(folder, proto)
    .then((root) => fromJSON(root.toJSON(), MESSAGE_OPTIONS))
    .catch((error: unknown) => {
      if (error instanceof EntrypointError) throw error;
      throw new EntrypointError(`the proto file ${proto} cannot be read: ${String(error)}`, { cause: error });
    });
  return methodIn(definition, target);
}

/** The most proto files that one may import, and the size of each in bytes. */
const MAX_FILES = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a proto file and all files that it imports from the same folder: only regular files of limited size. Rejects with
 * `EntrypointError`, or as the parser does.
 */
async function readProtoFiles(folder: string, proto: string): Promise<Root> {
  const { Root: ProtoRoot } = await import("protobufjs");
  const root = new ProtoRoot();
  let count = 0;
  root.resolvePath = (_origin, target) => (isAbsolute(target) ? target : join(folder, target));
  root.fetch = (path, callback) => {
    if (typeof callback !== "function") return;
    try {
      count += 1;
      if (count > MAX_FILES) throw new EntrypointError(`the proto file ${proto} imports more than ${MAX_FILES} files`);
      // Its types require an error argument.
      Reflect.apply(callback, undefined, [null, textOf(folder, path)]);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return root.load(proto, { keepCase: true });
}

function textOf(folder: string, path: string): string {
  if (!isWithin(realPathOrSame(folder), realPathOrSame(path))) {
    throw new EntrypointError(`the proto file ${shown(folder, path)} is not in the folder of the skill`);
  }
  const text = textUpTo(path, MAX_BYTES);
  if (text === undefined)
    throw new EntrypointError(
      `the proto file ${shown(folder, path)} is missing, not a regular file, or larger than 1 MiB`,
    );
  return text;
}

/** A path as an author wrote it. */
const shown = (folder: string, path: string): string =>
  isWithin(join(folder, ".."), path) ? relative(folder, path) : path;
