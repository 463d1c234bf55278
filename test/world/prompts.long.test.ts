import { afterAll, describe, expect, test } from "bun:test";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { oddCalls } from "./oddities/calls.ts";
import { prompts } from "./oddities/prompts.ts";
import { oddSchemas } from "./oddities/schemas.ts";
import { oddTexts } from "./oddities/texts.ts";
import type { Oddity } from "./oddity.ts";
import { playPrompt } from "./play-prompt.ts";

const folder = temporaryDirectory();
afterAll(() => folder[Symbol.dispose]());

const tables = { "a refusal": prompts, "a call": oddCalls, "a tool": oddSchemas, "a text": oddTexts } as const;

describe.each(Object.entries(tables))("%s", (_kind, rows) => {
  test.each(rows.map((row): [string, Oddity] => [`${row.wire}: ${row.name} (${row.seen})`, row]))(
    "%s",
    async (_name, row) => {
      const { expected, got } = await playPrompt(row, folder.path);
      expect(got).toEqual(expected);
    },
  );
});
