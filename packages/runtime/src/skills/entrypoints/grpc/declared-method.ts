import { join } from "node:path";
import type { GrpcTarget } from "@mdx-ai/parser";
import { isWithin } from "@mdx-ai/parser/is-within";
import { realPlaceOrSame } from "../../../files/real-place.ts";
import { EntrypointError } from "../entrypoint.ts";
import { MESSAGE_OPTIONS, methodIn, type ServiceMethod } from "./service-method.ts";

/** Reads a method from a proto file of a skill. Rejects with `EntrypointError`. */
export async function declaredMethod(folder: string, proto: string, target: GrpcTarget): Promise<ServiceMethod> {
  const path = join(folder, proto);
  if (!isWithin(realPlaceOrSame(folder), realPlaceOrSame(path))) {
    throw new EntrypointError(`the proto file ${proto} is not in the folder of the skill`);
  }
  const { load } = await import("@grpc/proto-loader");
  const definition = await load(path, { ...MESSAGE_OPTIONS, includeDirs: [folder] }).catch((error: unknown) => {
    throw new EntrypointError(`the proto file ${proto} cannot be read: ${String(error)}`, { cause: error });
  });
  return methodIn(definition, target);
}
