import { type Attribute, withValue } from "./attributes.ts";

const yes = /^(?:true|yes|y|on|1|required|always|nullable)$/i;
const no = /^(?:false|no|n|off|0|optional|never)$/i;

/** What an attribute says that is true or false; undefined where it says neither. */
export function truthOf({ value }: Attribute): boolean | undefined {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : undefined;
}

/** The mend of an attribute that says yes or no in other words, where it is clear which. */
export function meantTruth(name: string, attribute: Attribute): ReturnType<typeof withValue> {
  const word = String(attribute.value).trim();
  if (yes.test(word)) return withValue(name, attribute, "true");
  return no.test(word) ? withValue(name, attribute, "false") : {};
}
