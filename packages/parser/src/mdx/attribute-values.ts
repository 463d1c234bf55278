import { type Attribute, withValue } from "./attributes.ts";

/** The comma-separated parts of a value, trimmed; undefined if it is no string or a part is empty. */
export function commaSeparated({ value }: Attribute): readonly string[] | undefined {
  if (typeof value !== "string") return undefined;
  const parts = value.split(",").map((part) => part.trim());
  return parts.includes("") ? undefined : parts;
}

const yes = /^(?:true|yes|y|on|1|required|always|nullable)$/i;
const no = /^(?:false|no|n|off|0|optional|never)$/i;

/** The value of an attribute that is true or false; undefined for any other value. */
export function truthOf({ value }: Attribute): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** The fix of an attribute that says yes or no in other words, if it is clear which. */
export function meantTruth(name: string, attribute: Attribute): ReturnType<typeof withValue> {
  const word = String(attribute.value).trim();
  if (yes.test(word)) return withValue(name, attribute, "true");
  return no.test(word) ? withValue(name, attribute, "false") : {};
}
