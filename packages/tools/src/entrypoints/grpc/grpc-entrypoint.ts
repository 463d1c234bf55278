import { grpcTarget, protoFile } from "@mdx-ai/parser/entrypoints";
import { listedDestination } from "@mdx-ai/sandbox";
import { type Entrypoint, NETWORK_SECONDS } from "../entrypoint.ts";

/** `grpc:[SERVER/]package.Service/Method`: a unary call, or a call with a stream of answers. */
export const grpcEntrypoint: Entrypoint = {
  tool: ({ tool, folder, options }) => {
    const target = grpcTarget(tool.entrypoint);
    if (target.kind === "mistake") return target;
    const proto = protoFile(tool.entrypoint);
    const seconds = tool.timeout ?? NETWORK_SECONDS;
    return {
      access: async () => ({ kind: "host", host: listedDestination(target.server) }),
      execute: async (args, { signal }) => {
        const { callMethod } = await import("./call-method.ts");
        return callMethod({ target, proto, folder, args, seconds }, options, signal);
      },
    };
  },
};
