import type { PriceTable } from "./model-facts.ts";

/**
 * The newest model of a family by the table of prices, such as `claude-opus-5-5` of `claude-` and `opus`; undefined for a word
 * that is no family. The table is loaded by `require`, for the few who write such a word.
 */
export function newestModel(prefix: string, family: string): string | undefined {
  if (!/^[a-z]+$/.test(family)) return undefined;
  const { models }: PriceTable = require("./prices.json");
  const form = new RegExp(`/(${prefix}${family}-(\\d{1,3})(?:[-.](\\d{1,3}))?)$`);
  const found = Object.keys(models).flatMap((key) => {
    const [, name, major, minor = "0"] = form.exec(key) ?? [];
    return name === undefined ? [] : [{ name, version: Number(major) * 1_000 + Number(minor) }];
  });
  return found.sort((one, other) => other.version - one.version)[0]?.name;
}
