import type { Node } from "jsonc-parser";
import { quoted, type Report } from "../../report.ts";
import { didYouMean } from "../../suggestion.ts";
import type { ParameterDefinition } from "../../types/tool-definition.ts";
import { placedMembers } from "./placed-members.ts";

/** Reports, at its place and by the parameter's name, every argument that the tool would refuse. True where there is none. */
export function checkArguments(node: Node, parameters: readonly ParameterDefinition[], report: Report): boolean {
  const members = placedMembers(node);
  const names = parameters.map(({ name }) => name);
  let fits = true;
  const complain = (offset: number, message: string, hint: string): void => {
    fits = false;
    report({ rule: "example-arguments", offset, message, hint });
  };
  for (const { name, key, value } of members) {
    const parameter = parameters.find((known) => known.name === name);
    if (parameter === undefined) {
      const expected = names.length === 0 ? "none: the tool has no parameters" : names.join(", ");
      complain(key.offset, `unexpected argument ${quoted(name)}, expected ${expected}`, unknownHint(name, names));
    } else if (value.type !== parameter.type) {
      const message = `unexpected ${value.type} for parameter ${quoted(name)}, expected a ${parameter.type}`;
      complain(value.offset, message, `write a ${parameter.type}, or change the \`type\` of the \`<Param>\``);
    }
  }
  for (const { name } of missingFrom(members, parameters)) {
    const message = `unexpected arguments without ${quoted(name)}, expected all that the tool requires`;
    complain(node.offset, message, `add \`${JSON.stringify(name)}\`, or write \`required="false"\` at the \`<Param>\``);
  }
  return fits;
}

const unknownHint = (name: string, names: readonly string[]): string =>
  didYouMean(name, names, "take it away, or declare it with a `<Param>`");

const missingFrom = (
  members: readonly { readonly name: string }[],
  parameters: readonly ParameterDefinition[],
): readonly ParameterDefinition[] =>
  parameters.filter(({ name, required }) => required && !members.some((member) => member.name === name));
