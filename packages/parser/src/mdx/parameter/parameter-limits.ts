import { quoted, type Report } from "../../report.ts";
import type { ParameterDefinition, ParameterType } from "../../types/tool-definition.ts";
import type { Attribute, Attributes } from "../attributes.ts";
import type { ParameterKind } from "./parameter-type.ts";

/** Reads `min` and `max`; what does not fit is reported and left out. */
export function readLimits(
  attributes: Attributes,
  { type }: ParameterKind,
  report: Report,
): Pick<ParameterDefinition, "minimum" | "maximum"> {
  const least = attributes.get("min");
  const greatest = attributes.get("max");
  const minimum = least && limitOf("min", { attribute: least, type, report });
  const maximum = greatest && limitOf("max", { attribute: greatest, type, report });
  if (greatest !== undefined && minimum !== undefined && maximum !== undefined && minimum > maximum) {
    const message = `unexpected \`max\` of ${maximum} below \`min\` of ${minimum}, expected at least ${minimum}`;
    report({ rule: "param-range", offset: greatest.offset, message, hint: "swap the two, or correct one of them" });
    return {};
  }
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

interface Limit {
  readonly attribute: Attribute;
  readonly type: ParameterType;
  readonly report: Report;
}

function limitOf(name: "min" | "max", { attribute, type, report }: Limit): number | undefined {
  const { value, offset } = attribute;
  if (type === "boolean" || type === "object") {
    const message = `unexpected \`${name}\` of a parameter of type \`${type}\`, expected a number, a string or an array`;
    report({ rule: "param-range", offset, message, hint: "remove it" });
    return undefined;
  }
  const limit = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const counts = type === "string" || type === "array";
  if (typeof limit === "number" && Number.isFinite(limit) && (!counts || (Number.isInteger(limit) && limit >= 0))) {
    return limit;
  }
  const what = type === "string" ? "a count of characters" : "a count of items";
  const message = `unexpected ${quoted(String(value))} as \`${name}\`, expected ${counts ? what : "a number"}`;
  report({ rule: "param-range", offset, message, hint: `write \`${name}="1"\`` });
  return undefined;
}

/** Reads `pattern`; one that does not fit is reported and left out. */
export function readPattern(attribute: Attribute | undefined, kind: ParameterKind, report: Report): string | undefined {
  if (attribute === undefined) return undefined;
  const { value, offset } = attribute;
  const complain = (seen: string, expected: string, hint: string): undefined => {
    report({ rule: "param-pattern", offset, message: `unexpected ${seen}, expected ${expected}`, hint });
    return undefined;
  };
  const type = kind.items ?? kind.type;
  if (type !== "string") return complain(`\`pattern\` of type \`${type}\``, "type `string`", "remove it");
  if (typeof value !== "string" || value === "") {
    return complain(`${quoted(String(value))} as \`pattern\``, "a regular expression", 'write `pattern="^[a-z]+$"`');
  }
  const reason = patternProblem(value);
  if (reason === undefined) return value;
  return complain(
    `pattern ${quoted(value)} (${reason})`,
    "a valid regular expression (with the flag u)",
    'correct it; write it without slashes and with single `\\`, as in `pattern="^\\d+$"`',
  );
}

/** Why a text is no regular expression; undefined if it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error);
  }
}
