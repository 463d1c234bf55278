import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { writeFiles } from "../../../../test/support/agent-files.ts";
import type { Reply } from "../../../../test/support/replies.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { clipboardPrograms, runCopy } from "./take-out-commands.ts";

interface CopyCase {
  readonly environment?: Readonly<Record<string, string>>;
  /** Programs of the user's PATH: shell scripts by their names. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** Lets an agent answer, then copies: the answer of the command, what the terminal got, and what `xclip` wrote. */
async function copied(replies: readonly Reply[], { environment = {}, programs = {} }: CopyCase = {}) {
  using directory = agentDirectory();
  const scripts = Object.entries(programs).map(([name, text]) => [`bin/${name}`, `#!/bin/sh\n${text}\n`]);
  writeFiles(directory.path, Object.fromEntries(scripts));
  for (const name of Object.keys(programs)) Bun.spawnSync(["chmod", "+x", join(directory.path, "bin", name)]);
  const agent = await openScriptAgent(directory.path, replies, { ephemeral: true });
  for (const _ of replies) await Array.fromAsync(agent.session().prompt("Hello"));
  const sent: string[] = [];
  const clip = join(directory.path, "clip");
  const variables = { PATH: `${join(directory.path, "bin")}:/usr/bin:/bin`, CLIP: clip, ...environment };
  const answer = await runCopy(agent.session(), { environment: variables, send: (sequence) => sent.push(sequence) });
  await agent.close();
  const written = (await Bun.file(clip).exists()) ? readFileSync(clip, "utf8") : undefined;
  return { answer, sent, written };
}

const osc = (text: string): string => `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;
const xclip = { xclip: 'printf "%s " "$@" > "$CLIP"; cat >> "$CLIP"' };

describe("/copy", () => {
  test("sends the last answer to the clipboard of the terminal", async () => {
    const { answer, sent } = await copied([{ text: "One." }, { text: "Zwölf\n**Boxkämpfer**" }]);
    expect(sent).toStrictEqual([osc("Zwölf\n**Boxkämpfer**")]);
    expect(answer).toBe(
      "Sent the last answer to the clipboard of your terminal (OSC 52), if it allows that: 20 characters.",
    );
  });

  test("uses the program of the display, and names it", async () => {
    const { answer, sent, written } = await copied([{ text: "One." }], {
      environment: { DISPLAY: ":0" },
      programs: xclip,
    });
    expect({ answer, sent, written }).toStrictEqual({
      answer: "Copied the last answer with xclip: 4 characters.",
      sent: [],
      written: "-selection clipboard One.",
    });
  });

  test.each([
    ["fails", { environment: { DISPLAY: ":0" }, programs: { xclip: "exit 1" } }],
    ["is not installed", { environment: { WAYLAND_DISPLAY: "wayland-0" } }],
    ["is on another machine", { environment: { DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" }, programs: xclip }],
  ])("uses the terminal if the program %s", async (_, options) => {
    const { sent, written } = await copied([{ text: "One." }], options);
    expect({ sent, written }).toStrictEqual({ sent: [osc("One.")], written: undefined });
  });

  test("sends no more than terminals take", async () => {
    const { answer, sent } = await copied([{ text: "x".repeat(74_001) }]);
    expect(sent).toStrictEqual([]);
    expect(answer).toContain("/export");
  });

  test("says that there is no answer yet", async () => {
    expect(await copied([])).toMatchObject({ answer: "There is no answer to copy yet.", sent: [] });
  });

  test("asks pbcopy on a Mac", () => {
    expect(clipboardPrograms({ DISPLAY: ":0" }, "darwin")).toStrictEqual([["pbcopy"]]);
  });
});
