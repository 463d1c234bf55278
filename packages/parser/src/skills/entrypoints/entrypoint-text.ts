import type { SkillEntrypoint } from "../../types/skill-definition.ts";

/** As an author writes it, such as `bash:cat {path}`. */
export function entrypointText({ scheme, target }: SkillEntrypoint): string {
  if (scheme === "unknown") return target;
  return `${scheme}${scheme.includes(":") ? " " : ":"}${target}`;
}
