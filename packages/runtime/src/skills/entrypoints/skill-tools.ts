import { dirname } from "node:path";
import type { SkillDefinition, SkillEntrypoint } from "@mdx-ai/parser";
import type { AgentTool } from "../../types/tool.ts";
import { skillFile } from "../skill-contexts.ts";
import { bashEntrypoint } from "./bash-entrypoint.ts";
import { containerEntrypoint } from "./container-entrypoint.ts";
import {
  type Entrypoint,
  EntrypointError,
  type EntrypointSurroundings,
  type EntrypointTool,
  namesOf,
} from "./entrypoint.ts";
import { grpcEntrypoint } from "./grpc-entrypoint.ts";
import { httpEntrypoint } from "./http-entrypoint.ts";
import { pythonEntrypoint } from "./python-entrypoint.ts";

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
    ...entrypointTool({ skill, tool, folder, names: namesOf(tool), surroundings }),
  }));
}

function entrypointTool(context: Parameters<Entrypoint>[0]): EntrypointTool {
  const { scheme, target } = context.tool.entrypoint;
  if (scheme === "unknown") return failing(`its entrypoint ${JSON.stringify(target)} has an unknown scheme; ${KNOWN}`);
  const made = ENTRYPOINTS[scheme](context);
  return "kind" in made ? failing(`its entrypoint cannot work: ${made.message}; ${made.hint}`) : made;
}

const KNOWN = `the known ones are ${Object.keys(ENTRYPOINTS)
  .map((scheme) => `${scheme}:`)
  .join(", ")}`;

const failing = (reason: string): EntrypointTool => ({
  execute: async () => {
    throw new EntrypointError(`the tool cannot run: ${reason}`);
  },
});
