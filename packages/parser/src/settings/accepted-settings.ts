import { namesAt, schemaAt } from "../arguments/json-pointer.ts";
import { schemaCheck } from "../arguments/schema-problems.ts";
import { isRecord } from "../record.ts";
import type { AgentSettings } from "../types/agent-settings.ts";
import type { JsonSchema } from "../types/json.ts";
import { type Path, takesAnyName } from "./setting-paths.ts";

/** The settings of a YAML map without those that were refused and those that this version does not act on. */
export function acceptedSettings(
  values: unknown,
  schema: JsonSchema,
  isRefused: (path: Path) => boolean,
): AgentSettings {
  const isActedOn = (path: Path): boolean => !isRefused(path) && schemaAt(schema, path)?.["x-supported"] !== false;
  const accepted = withoutRefused(values, [], { schema, isActedOn });
  if (!isAgentSettings(accepted, schema)) return {};
  const { name } = accepted;
  return name === undefined ? accepted : { ...accepted, name: name.trim() };
}

interface Acceptance {
  readonly schema: JsonSchema;
  readonly isActedOn: (path: Path) => boolean;
}

function withoutRefused(value: unknown, path: Path, acceptance: Acceptance): unknown {
  const { schema, isActedOn } = acceptance;
  const hasNames = namesAt(schema, path).length > 0 || takesAnyName(schema, path);
  if (!isRecord(value) || !hasNames) return value;
  const entries = Object.keys(value)
    .filter((key) => isActedOn([...path, key]))
    .map((key) => [key, withoutRefused(value[key], [...path, key], acceptance)] as const)
    .filter(([, inner]) => !isEmptyMap(inner));
  return Object.fromEntries(entries);
}

function isEmptyMap(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

function isAgentSettings(value: unknown, schema: JsonSchema): value is AgentSettings {
  return schemaCheck(schema)(value).length === 0;
}
