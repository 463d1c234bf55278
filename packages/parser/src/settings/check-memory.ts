import { isRecord } from "../record.ts";
import type { MemorySettings } from "../types/agent-settings.ts";
import { mcpServerProblems, readMcpServer } from "./mcp-server.ts";
import { rangeOf, type SettingsReading } from "./setting-paths.ts";

/** What to write in place of a model that is not known; undefined if it is. */
type ModelHint = (model: string) => string | undefined;

/** Reports mistakes of `memory` that the schema does not state, and returns whether there are some. */
export function refusedMemory(reading: SettingsReading, modelHint: ModelHint = () => undefined): boolean {
  const { memory } = reading.yaml.values;
  if (!isRecord(memory)) return false;
  const path = ["memory", "store"];
  const problems = isRecord(memory["store"]) ? mcpServerProblems(memory["store"], "memory.store") : [];
  for (const { path: inner, of, message, hint } of problems) {
    const { start } = rangeOf(reading, [...path, ...inner], inner.length === 0 ? "key" : of);
    reading.report({ rule: "mcp-server", offset: start, message, hint });
  }
  const { model } = memory;
  const hint = typeof model === "string" ? modelHint(model) : undefined;
  if (hint !== undefined) {
    reading.report({
      rule: "setting-type",
      offset: rangeOf(reading, ["memory", "model"], "value").start,
      message: `unexpected \`${model}\` as \`memory.model\`, expected a model of a known vendor`,
      hint,
    });
  }
  return problems.length > 0 || hint !== undefined;
}

/** The memory as it was written, which fits the schema: `on` is one without settings. */
export function memoryOf(written: unknown): MemorySettings | "off" | undefined {
  if (written === "off") return "off";
  if (written === "on") return {};
  if (!isRecord(written)) return undefined;
  const text = (name: string): string | undefined => {
    const value = written[name];
    return typeof value === "string" ? value.trim() : undefined;
  };
  const [vault, memory, model] = [text("vault"), text("memory"), text("model")];
  const store = isRecord(written["store"]) ? readMcpServer(written["store"], "memory.store").server : undefined;
  return {
    ...(vault !== undefined && { vault }),
    ...(memory !== undefined && { memory }),
    ...(written["store"] !== undefined && { store: store ?? "embedded" }),
    ...(model !== undefined && { model }),
  };
}
