import { unreadable } from "../errors/model-error.ts";
import type { UnknownRecord } from "../json.ts";

/**
 * The object in the data of an event. Undefined for anything else, such as the "[DONE]" of gateways, which is no event of a
 * protocol whose events are objects. Throws `ModelError` for an object that is not JSON.
 */
export function eventObject(data: string, vendor: string): UnknownRecord | undefined {
  if (!data.startsWith("{") && !data.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    throw unreadable(`${vendor} sent an event that is not JSON`);
  }
}
