import { grpcTarget } from "@mdx-ai/parser";
import { listedDestination } from "../../sandbox/network/allowed-hosts.ts";
import type { Entrypoint } from "./entrypoint.ts";

/** Seconds that a call may take with the questions about its service. */
const DEFAULT_SECONDS = 30;

/** `grpc:[SERVER/]package.Service/Method`: a unary call, or one that the server answers with a stream. */
export const grpcEntrypoint: Entrypoint = ({ skill, tool, folder, surroundings }) => {
  const target = grpcTarget(tool.entrypoint.target, skill.grpc);
  if (target.kind === "mistake") return target;
  const seconds = tool.timeout ?? DEFAULT_SECONDS;
  return {
    access: async () => ({ kind: "host", host: listedDestination(target.server) }),
    execute: async (args, { signal }) => {
      const { callMethod } = await import("./grpc/call-method.ts");
      return callMethod({ target, proto: skill.proto, folder, args, seconds }, surroundings, signal);
    },
  };
};
