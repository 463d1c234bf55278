import type { AnyDefinition, MethodDefinition, Options, PackageDefinition } from "@grpc/proto-loader";
import type { JsonObject } from "@mdx-ai/models";
import type { GrpcTarget } from "@mdx-ai/parser";
import { isRecord } from "@mdx-ai/parser/record";
import { EntrypointError } from "../entrypoint.ts";

/** A method of a service, with the messages that it takes and returns. */
export type ServiceMethod = MethodDefinition<object, object>;

/** How messages become JSON: with the names of the proto file, and values that are not set. */
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

/** Finds a method in what a proto file or a server says. Throws `EntrypointError` with the names that there are. */
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

const MOST_NAMES = 20;

const listText = (names: readonly string[]): string =>
  names.length === 0 ? "there are none" : `there are: ${names.slice(0, MOST_NAMES).join(", ")}`;

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
