import { resolve } from "node:path";
import type { SkillDefinition } from "@mdx-ai/parser";

/** The absolute path of a skill's file. */
export const skillFile = ({ path }: Pick<SkillDefinition, "path">, agentDir: string): string => resolve(agentDir, path);
