import { defined, type JsonObject } from "@mdx-ai/base";
import type { SkillEntrypoint } from "../../types/skill-definition.ts";
import { containerScheme } from "./container-target.ts";
import { type EntrypointMistake, type EntrypointScheme, type NeededFile, propertyNames } from "./entrypoint-scheme.ts";
import { grpcScheme } from "./grpc-target.ts";
import { httpScheme } from "./http-target.ts";
import { pythonScheme } from "./python-target.ts";
import { bashScheme } from "./shell-template.ts";

/** Schemes by their names. */
export type EntrypointSchemes = ReadonlyMap<string, EntrypointScheme>;

/** The schemes that an entrypoint may have; `SKILL_TOOL_KINDS` of the runtime has what runs them. */
export const ENTRYPOINT_SCHEMES: EntrypointSchemes = new Map([
  ["bash", bashScheme],
  ["http:get", httpScheme],
  ["http:post", httpScheme],
  ["python", pythonScheme],
  ["grpc", grpcScheme],
  ["container", containerScheme],
]);

/** The keys of a skill's frontmatter that entrypoints use. */
export const entrypointSettings = (): readonly string[] =>
  [...ENTRYPOINT_SCHEMES.values()].flatMap(({ settings = [] }) => settings);

/** Reads `SCHEME:TARGET`, or `SCHEME TARGET` for a scheme with a colon, with the skill's settings that the scheme uses. */
export function readEntrypoint(
  text: string,
  settings: Readonly<Record<string, string>>,
  schemes: EntrypointSchemes = ENTRYPOINT_SCHEMES,
): SkillEntrypoint {
  for (const [scheme, { settings: used = [] }] of schemes) {
    const [start] = new RegExp(`^${scheme}${scheme.includes(":") ? "[ \\t:]+" : ":"}`, "i").exec(text) ?? [];
    if (start === undefined) continue;
    const own = Object.entries(settings).filter(([key]) => used.includes(key));
    const target = text.slice(start.length).trim();
    return { scheme, target, ...defined({ settings: own.length === 0 ? undefined : Object.fromEntries(own) }) };
  }
  return { scheme: "unknown", target: text };
}

/** Why an entrypoint can never work, as far as its text shows; undefined for one of an unknown scheme. Never throws. */
export function entrypointMistake(
  entrypoint: SkillEntrypoint,
  schema: JsonObject,
  schemes: EntrypointSchemes = ENTRYPOINT_SCHEMES,
): EntrypointMistake | undefined {
  const found = schemes.get(entrypoint.scheme)?.read(entrypoint, propertyNames(schema));
  return isMistake(found) ? found : undefined;
}

const isMistake = (found: { readonly kind: string } | undefined): found is EntrypointMistake =>
  found?.kind === "mistake";

/** The file that a call needs, as far as the entrypoint's text shows. */
export const neededFile = (entrypoint: SkillEntrypoint): NeededFile | undefined =>
  ENTRYPOINT_SCHEMES.get(entrypoint.scheme)?.neededFile?.(entrypoint);
