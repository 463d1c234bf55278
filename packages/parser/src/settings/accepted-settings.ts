import { Validator } from "@cfworker/json-schema";
import { isRecord } from "../record.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import { namesAt, type Path, schemaAt, takesAnyName } from "./setting-paths.ts";
import { settingsSchema } from "./settings-schema.ts";

/** The settings of a YAML map without those that were refused and those that this version does not act on. */
export function acceptedSettings(values: unknown, isRefused: (path: Path) => boolean): AgentSettings {
  const accepted = withoutRefused(values, [], isRefused);
  if (!isAgentSettings(accepted)) return {};
  const { name } = accepted;
  return name === undefined ? accepted : { ...accepted, name: name.trim() };
}

function withoutRefused(value: unknown, path: Path, isRefused: (path: Path) => boolean): unknown {
  const hasNames = namesAt(settingsSchema, path).length > 0 || takesAnyName(settingsSchema, path);
  if (!isRecord(value) || !hasNames) return value;
  const entries = Object.keys(value)
    .filter((key) => !isRefused([...path, key]) && isActedOn([...path, key]))
    .map((key) => [key, withoutRefused(value[key], [...path, key], isRefused)] as const)
    .filter(([, inner]) => !isEmptyMap(inner));
  return Object.fromEntries(entries);
}

function isActedOn(path: Path): boolean {
  return schemaAt(settingsSchema, path)?.["x-supported"] !== false;
}

function isEmptyMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function isAgentSettings(value: unknown): value is AgentSettings {
  return new Validator({ ...settingsSchema }, "2020-12").validate(value).valid;
}
