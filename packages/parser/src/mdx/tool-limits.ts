import { quoted, type Report } from "../report.ts";
import type { ToolDefinition } from "../types/tool-definition.ts";
import { truthOf } from "./attribute-values.ts";
import { type Attribute, type Attributes, withValue } from "./attributes.ts";
import { readFiles } from "./tool-files.ts";
import { readNetwork } from "./tool-network.ts";
import { readPermission } from "./tool-permission.ts";

/** What a tool may access and how it may be run. */
type ToolLimits = Pick<ToolDefinition, "environment" | "timeout" | "idempotent" | "permission" | "network" | "files">;

const longestTimeout = 2_147_483;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Reads what the attributes of a `<Tool>` say of how it is run; what is wrong is reported and left out. */
export function readToolLimits(attributes: Attributes, report: Report): ToolLimits {
  const timeout = timeoutOf(attributes.get("timeout"), report);
  return {
    environment: environmentOf(attributes.get("env"), report),
    ...(timeout === undefined ? {} : { timeout }),
    ...readIdempotent(attributes.get("idempotent"), report),
    ...readPermission(attributes.get("permission"), report),
    ...readNetwork(attributes.get("network"), report),
    ...readFiles(attributes.get("files"), report),
  };
}

function environmentOf(attribute: Attribute | undefined, report: Report): readonly string[] {
  if (attribute === undefined) return [];
  const names =
    typeof attribute.value === "string" ? attribute.value.split(/[,\s]+/).filter((name) => name !== "") : [];
  const wrong = names.find((name) => !variableName.test(name));
  if (wrong === undefined && names.length > 0) return [...new Set(names)];
  const message = `unexpected ${quoted(wrong ?? String(attribute.value))} as \`env\`, expected names of environment variables`;
  report({ rule: "tool-environment", offset: attribute.offset, message, hint: 'write `env="FIRST_NAME,SECOND_NAME"`' });
  return names.filter((name) => variableName.test(name));
}

function timeoutOf(attribute: Attribute | undefined, report: Report): number | undefined {
  if (attribute === undefined) return undefined;
  const { value } = attribute;
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof seconds === "number" && seconds > 0 && seconds <= longestTimeout) return seconds;
  const message = `unexpected ${quoted(String(value))} as \`timeout\`, expected a number of seconds above 0`;
  const fix = secondsFix(attribute);
  report({ rule: "tool-timeout", offset: attribute.offset, message, hint: 'write `timeout="30"`', ...fix });
  return undefined;
}

/** The seconds of a text such as `30s` or `2 min`. */
function secondsFix(attribute: Attribute): ReturnType<typeof withValue> {
  const [, count = "", unit = ""] =
    /^(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?)$/i.exec(String(attribute.value)) ?? [];
  const seconds = Number(count) * (/^m/i.test(unit) ? 60 : 1);
  return seconds > 0 ? withValue("timeout", attribute, String(seconds)) : {};
}

function readIdempotent(attribute: Attribute | undefined, report: Report): Pick<ToolDefinition, "idempotent"> {
  const said = attribute && truthOf(attribute);
  if (attribute === undefined || said !== undefined) return said === true ? { idempotent: true } : {};
  report({
    rule: "tool-idempotent",
    offset: attribute.offset,
    message: `unexpected ${quoted(String(attribute.value))} as \`idempotent\`, expected "true" or "false"`,
    hint: "write `idempotent` if an interrupted call may be repeated",
  });
  return {};
}
