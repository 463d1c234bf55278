import { fields } from "./fields.ts";

/** The models of a text such as `a, b`; undefined where it is none. A path that holds a comma is for other sources. */
export function modelList(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim());
  return [fields.model.read(names) ?? []].flat().length === 0 ? undefined : names;
}
