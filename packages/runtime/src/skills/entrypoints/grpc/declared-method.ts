import type { GrpcTarget } from "@mdx-ai/parser/entrypoints";
import { EntrypointError } from "../entrypoint.ts";
import { MESSAGE_OPTIONS, methodIn, type ServiceMethod } from "./service-method.ts";

/** Reads a method from a proto file of a skill. Rejects with `EntrypointError`. */
export async function declaredMethod(folder: string, proto: string, target: GrpcTarget): Promise<ServiceMethod> {
  const { fromJSON } = await import("@grpc/proto-loader");
  const { readProtoFiles } = await import("./proto-files.ts");
  const definition = await readProtoFiles(folder, proto)
    .then((root) => fromJSON(root.toJSON(), MESSAGE_OPTIONS))
    .catch((error: unknown) => {
      if (error instanceof EntrypointError) throw error;
      throw new EntrypointError(`the proto file ${proto} cannot be read: ${String(error)}`, { cause: error });
    });
  return methodIn(definition, target);
}
