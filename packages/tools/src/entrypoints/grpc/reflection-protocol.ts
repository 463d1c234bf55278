import type { MethodDefinition } from "@grpc/proto-loader";
import { methodIn } from "./service-method.ts";

/** The names of the service in its two versions, which are otherwise equal. */
export const REFLECTION_SERVICES = [
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
] as const;

const PROTOCOL = {
  nested: {
    ServerReflection: {
      methods: {
        ServerReflectionInfo: {
          comment: "",
          requestType: "Question",
          requestStream: true,
          responseType: "Answer",
          responseStream: true,
        },
        // Never called: it gives access to the messages of descriptors.
        Head: { comment: "", requestType: "FileHead", responseType: "FileHead" },
      },
    },
    Question: {
      fields: {
        host: { type: "string", id: 1 },
        file_by_filename: { type: "string", id: 3 },
        file_containing_symbol: { type: "string", id: 4 },
      },
    },
    Answer: {
      fields: {
        file_descriptor_response: { type: "Files", id: 4 },
        error_response: { type: "Failure", id: 7 },
      },
    },
    Files: { fields: { file_descriptor_proto: { rule: "repeated", type: "bytes", id: 1 } } },
    Failure: { fields: { error_code: { type: "int32", id: 1 }, error_message: { type: "string", id: 2 } } },
    // The needed fields of google.protobuf.FileDescriptorProto.
    FileHead: {
      fields: { name: { type: "string", id: 1 }, dependency: { rule: "repeated", type: "string", id: 3 } },
    },
  },
};

/** The question for a file, by its name or by a symbol in it. */
export type ReflectionQuestion = { readonly file_containing_symbol: string } | { readonly file_by_filename: string };

/** The methods of the server reflection protocol that are needed to describe a service. */
export async function reflectionProtocol(): Promise<{
  readonly ask: MethodDefinition<object, object>;
  readonly head: MethodDefinition<object, object>;
}> {
  const { fromJSON } = await import("@grpc/proto-loader");
  const definition = fromJSON(PROTOCOL, { keepCase: true, arrays: true, defaults: true, bytes: Buffer });
  const service = "ServerReflection";
  return {
    ask: methodIn(definition, { service, method: "ServerReflectionInfo" }),
    head: methodIn(definition, { service, method: "Head" }),
  };
}
