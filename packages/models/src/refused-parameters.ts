import { accessOf, type ResolvedModel } from "./configuration/configuration.ts";
import { effortFields, takesTemperature } from "./openai/thinking-fields.ts";
import { modelTraits } from "./prices/model-traits.ts";
import type { ModelParameters } from "./types/language-model.ts";
import { type Connection, protocolOf } from "./vendors/connection.ts";

/** The parameters that requests to a model leave out, because it refuses them: some models take no temperature, or none while they think. */
export function refusedParameters(
  { vendor, model, protocol }: Pick<Connection, "vendor" | "model" | "protocol">,
  { temperature, thinking, effort }: ModelParameters,
): readonly string[] {
  const traits = modelTraits(vendor, model);
  if (temperature === undefined) return [];
  if (protocol === "anthropic") {
    const thinks = thinking !== undefined && (thinking !== "off" || !traits.thinkingTypes.includes("disabled"));
    return traits.temperature === "never" || thinks ? ["temperature"] : [];
  }
  const fields = effortFields({ traits, thinking, effort, hasTools: protocol === "chat" });
  return takesTemperature(traits, fields) ? [] : ["temperature"];
}

/** The same for a model of a configuration, which may lack a key. */
export function refusedBy(model: ResolvedModel, parameters: ModelParameters): readonly string[] {
  const access = accessOf(model);
  if (access === undefined || model.target.provider !== "vendor") return [];
  const { name } = model.target;
  return refusedParameters({ vendor: access.vendor.name, model: name, protocol: protocolOf(access, name) }, parameters);
}
