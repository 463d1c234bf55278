import type { Environment } from "@mdx-ai/models";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { variable } from "./variables.ts";

const DEFAULT_SERVICE = "mdx-ai";

/**
 * Who sends: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. Nothing of the machine or the command line is told, which
 * may hold the prompt.
 */
export function resourceOf(environment: Environment): Resource {
  const service = variable(environment, "OTEL_SERVICE_NAME");
  const attributes = {
    "service.name": DEFAULT_SERVICE,
    ...attributesOf(variable(environment, "OTEL_RESOURCE_ATTRIBUTES") ?? ""),
    ...(service !== undefined && { "service.name": service }),
  };
  return defaultResource().merge(resourceFromAttributes(attributes));
}

/** `key=value,key=value`, percent-encoded. Where a part is broken, all of it is left out, as the specification wants it. */
function attributesOf(text: string): Readonly<Record<string, string>> {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  try {
    return Object.fromEntries(parts.map(attributeOf));
  } catch (error) {
    if (error instanceof URIError || error instanceof SyntaxError) return {};
    throw error;
  }
}

function attributeOf(part: string): readonly [string, string] {
  const [key = "", value, ...rest] = part.split("=").map((side) => decodeURIComponent(side.trim()));
  if (key === "" || value === undefined || rest.length > 0) throw new SyntaxError(`not key=value: ${part}`);
  return [key, value];
}
