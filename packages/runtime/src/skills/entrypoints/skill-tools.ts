import { dirname } from "node:path";
import type { SkillDefinition, SkillEntrypoint } from "@mdx-ai/parser";
import { grpcTarget, propertyNames, pythonTarget } from "@mdx-ai/parser/entrypoints";
import { listedDestination } from "../../sandbox/network/allowed-hosts.ts";
import { DEFAULT_SECONDS } from "../../sandbox/process-limits.ts";
import type { AgentTool } from "../../types/tool.ts";
import { bashEntrypoint } from "./bash-entrypoint.ts";
import { containerEntrypoint } from "./container-entrypoint.ts";
import {
  type Entrypoint,
  type EntrypointContext,
  EntrypointError,
  type EntrypointSurroundings,
  type EntrypointTool,
  NETWORK_SECONDS,
} from "./entrypoint.ts";
import { httpEntrypoint } from "./http-entrypoint.ts";
import { skillFile } from "./skill-file.ts";

/** `python:module.function`: a function that runs like the code of an inline tool, in a python3 process. */
const pythonEntrypoint: Entrypoint = ({ tool, folder, surroundings: { python } }) => {
  const target = pythonTarget(tool.entrypoint.target);
  if (target.kind === "mistake") return target;
  const called = { folder, module: target.module, name: target.name, seconds: tool.timeout ?? DEFAULT_SECONDS.tool };
  return { execute: async (args, context) => python.call(called, args, context) };
};

/** `grpc:[SERVER/]package.Service/Method`: a unary call, or one that the server answers with a stream. */
const grpcEntrypoint: Entrypoint = ({ skill, tool, folder, surroundings }) => {
  const target = grpcTarget(tool.entrypoint.target, skill.grpc);
  if (target.kind === "mistake") return target;
  const seconds = tool.timeout ?? NETWORK_SECONDS;
  return {
    access: async () => ({ kind: "host", host: listedDestination(target.server) }),
    execute: async (args, { signal }) => {
      const { callMethod } = await import("./grpc/call-method.ts");
      return callMethod({ target, proto: skill.proto, folder, args, seconds }, surroundings, signal);
    },
  };
};

const ENTRYPOINTS: Readonly<Record<Exclude<SkillEntrypoint["scheme"], "unknown">, Entrypoint>> = {
  bash: bashEntrypoint,
  "http:get": httpEntrypoint,
  "http:post": httpEntrypoint,
  python: pythonEntrypoint,
  grpc: grpcEntrypoint,
  container: containerEntrypoint,
};

/**
 * The tools of a structured skill. One whose entrypoint can never work is a tool as well, each call of which fails with the
 * reason. Starts nothing and reads nothing.
 */
export function skillTools(skill: SkillDefinition, surroundings: EntrypointSurroundings): readonly AgentTool[] {
  const folder = dirname(skillFile(skill, surroundings.agentDir));
  return (skill.tools ?? []).map((tool) => ({
    ...{ name: tool.name, description: tool.description, parameters: tool.schema },
    ...entrypointTool({ skill, tool, folder, names: propertyNames(tool.schema), surroundings }),
  }));
}

function entrypointTool(context: EntrypointContext): EntrypointTool {
  const { scheme, target } = context.tool.entrypoint;
  if (scheme === "unknown")
    return failing(
      `its entrypoint ${JSON.stringify(target)} has an unknown scheme; the known ones are ${SCHEMES.join(", ")}`,
    );
  const made = ENTRYPOINTS[scheme](context);
  return "kind" in made ? failing(`its entrypoint cannot work: ${made.message}; ${made.hint}`) : made;
}

const SCHEMES = Object.keys(ENTRYPOINTS).map((scheme) => `${scheme}:`);

const failing = (reason: string): EntrypointTool => ({
  execute: async () => {
    throw new EntrypointError(`the tool cannot run: ${reason}`);
  },
});
