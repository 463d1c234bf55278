import { afterAll, expect, test } from "bun:test";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { anthropicAnswers } from "./oddities/answers-anthropic.ts";
import { chatAnswers } from "./oddities/answers-chat.ts";
import { responsesAnswers } from "./oddities/answers-responses.ts";
import type { Oddity } from "./oddity.ts";
import { playPrompt } from "./play-prompt.ts";

const folder = temporaryDirectory();
afterAll(() => folder[Symbol.dispose]());

const rows = [...chatAnswers, ...anthropicAnswers, ...responsesAnswers];

test.each(rows.map((row): [string, Oddity] => [`${row.wire}: ${row.name} (${row.seen})`, row]))(
  "%s",
  async (_name, row) => {
    const { expected, got } = await playPrompt(row, folder.path);
    expect(got).toEqual(expected);
  },
);
