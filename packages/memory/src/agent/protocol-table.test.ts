import { expect, test } from "bun:test";
import { join } from "node:path";
import { ControlState } from "@mdx-ai/memory";
import { nextStep } from "./protocol.ts";

const cells = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.replaceAll(/[`"]/g, "").trim());

test("the table of docs/memory-agent.md is the protocol", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../docs/memory-agent.md")).text();
  const [, table = ""] = page.split("| control state | last tool |");
  const rows = table.split("\n\n")[0]?.split("\n").slice(2).map(cells) ?? [];
  const tools = ["none", "add_entry", "put_context"] as const;
  const expected = Object.values(ControlState).flatMap((control) =>
    tools.flatMap((tool) => {
      const step = nextStep(control, tool === "none" ? undefined : tool);
      if (step === undefined) return [];
      const { direct = [], model = "", completion } = step;
      return [[control, tool, direct.join(", "), model, completion === "" ? "no message" : (completion ?? "")]];
    }),
  );
  expect(rows).toStrictEqual(expected);
});
