import type { JsonObject } from "@mdx-ai/models";
import type { Verdict } from "@mdx-ai/parser";
import type { ToolTouch } from "../types/permission.ts";
import { subjectsOf } from "./call-subject.ts";
import { defaultRuling } from "./default-ruling.ts";
import type { Permissions } from "./permissions.ts";
import { isNamedByUser, type RuleLayers, type Ruling, rulingOf, strictest } from "./rule-layers.ts";
import { secrecyOf } from "./secrecy.ts";

/** A call as the rules see it. */
export interface RuledCall {
  /** The author's name. */
  readonly tool: string;
  readonly args: JsonObject;
  readonly touch: ToolTouch;
  /** What the author wants. */
  readonly author: Verdict;
}

/** What the rules say of a call, approvals aside. Rejects with what `holdsShell` rejects with. */
export async function rulingOfCall(permissions: Permissions, call: RuledCall): Promise<Ruling> {
  const { tool, args, touch, author } = call;
  const layers = permissions.rulesOf(tool);
  const holdsShell = permissions.options.holdsShell ?? (async () => false);
  const ruling = await defaultRuling(touch, permissions.places(), holdsShell);
  const rulings = subjectsOf(touch, args).map((subject) => rulingOf(layers, subject, { author, ruling }));
  const found = strictest(rulings);
  return found.verdict === "deny" ? found : (secretRuling(permissions, layers, touch) ?? found);
}

/** A secret is asked about, unless the user has named its place. */
function secretRuling(permissions: Permissions, layers: RuleLayers, touch: ToolTouch): Ruling | undefined {
  if (layers.allowsAll || (touch.kind !== "read" && touch.kind !== "write")) return undefined;
  const places = permissions.places();
  const secrecy = (path: string): string | undefined => secrecyOf(path, places);
  const found = secrecy(touch.path);
  if (found === undefined || isNamedByUser(layers, touch.path, (place) => secrecy(place) !== undefined))
    return undefined;
  return { verdict: "ask", reason: `${touch.kind}s ${found}` };
}
