import type { Path } from "@mdx-ai/base/schema";
import type { YamlMap } from "@mdx-ai/base/yaml";
import type { AgentSettings, OwnSettings, SkillsSettings } from "../types/agent-settings.ts";
import type { WrittenServer } from "./check-server.ts";

/** Settings in the forms in which they may be written. */
export interface WrittenSettings
  extends Omit<AgentSettings, "builtins" | "tools" | "mode" | "mcp" | "memory" | "skills">,
    OwnSettings {
  readonly mcp?: Readonly<Record<string, WrittenServer>>;
  readonly memory?: "on" | "off" | WrittenMemory;
  readonly skills?: Omit<SkillsSettings, "paths"> & { readonly paths?: string | readonly string[] };
  readonly builtins?: string | readonly string[];
  readonly tools?: ToolNames | WrittenTools;
}

type ToolNames = string | readonly string[];

/** The tools as a map. */
export interface WrittenTools {
  readonly names?: ToolNames;
  readonly deferred?: boolean;
}

/** The memory as a map. */
export interface WrittenMemory {
  readonly vault?: string;
  readonly memory?: string;
  readonly store?: "embedded" | WrittenServer;
  readonly model?: string;
  readonly embeddings?: string;
}

/** Settings that were checked, with their text. */
export interface SettingsReading {
  readonly yaml: YamlMap;
  /** Offset of the YAML in its document. */
  readonly base: number;
  readonly accepted: WrittenSettings;
}

/** The offset of a value or a key in the document. */
export const offsetOf = ({ yaml, base }: SettingsReading, path: Path, of: "key" | "value"): number =>
  base + yaml.range(path, of).start;
