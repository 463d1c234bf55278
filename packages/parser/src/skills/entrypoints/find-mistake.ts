import { isRecord, type JsonObject } from "@mdx-ai/base";
import type { SkillEntrypoint } from "../../types/skill-definition.ts";
import { shellTemplate } from "./shell-template.ts";
import { containerTarget, type EntrypointMistake, grpcTarget, httpTarget, pythonTarget } from "./targets.ts";

/** The properties of a tool's schema: the names of its arguments. */
export const propertyNames = ({ properties }: JsonObject): readonly string[] =>
  isRecord(properties) ? Object.keys(properties) : [];

/** Why an entrypoint can never work, as far as its text shows; undefined for one of an unknown scheme. Never throws. */
export function entrypointMistake(
  { scheme, target }: SkillEntrypoint,
  schema: JsonObject,
  usualServer: string | undefined,
): EntrypointMistake | undefined {
  const read = (): { readonly kind: string } | undefined => {
    switch (scheme) {
      case "bash":
        return shellTemplate(target, propertyNames(schema));
      case "http:get":
      case "http:post":
        return httpTarget(target, propertyNames(schema));
      case "python":
        return pythonTarget(target);
      case "grpc":
        return grpcTarget(target, usualServer);
      case "container":
        return containerTarget(target);
      case "unknown":
        return undefined;
    }
  };
  const found = read();
  return isMistake(found) ? found : undefined;
}

const isMistake = (found: { readonly kind: string } | undefined): found is EntrypointMistake =>
  found?.kind === "mistake";
