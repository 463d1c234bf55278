import { describe, expect, test } from "bun:test";
import {
  isSlashCommand,
  runSlashCommand,
  worksWhileRunning,
} from "../../../packages/cli/src/terminal/slash-commands.ts";

const skills = [
  { name: "greet", description: "Says\n hi", path: "skills/greet/SKILL.md" },
  { name: "part", description: "Says bye", path: "skills/part/SKILL.md" },
];

/** What a command did, in order. */
async function done(text: string, withSkills = true): Promise<readonly string[]> {
  const log: string[] = [];
  await runSlashCommand(text, {
    skills: withSkills ? skills : [],
    tell: (message) => log.push(message),
    info: async () => {
      log.push("info");
    },
    compact: () => log.push("compact"),
    clear: async () => {
      log.push("clear");
    },
    prompt: (prompt) => log.push(`prompt ${prompt}`),
    leave: () => log.push("leave"),
  });
  return log;
}

describe("slash commands", () => {
  test.each([
    ["/help", true],
    ["/", true],
    ["/skill:greet Ann\nand Bob", true],
    ["/quit ", true],
    ["/usr/bin is full", false],
    ["//comment", false],
    [" /help", false],
    ["help", false],
    ["/ü", false],
    ["", false],
  ])("%j is a command: %p", (text, expected) => {
    expect(isSlashCommand(text)).toBe(expected);
  });

  test.each([
    ["/help", true],
    ["/skills", true],
    ["/quit\n", true],
    ["/info", true],
    ["/compact", false],
    ["/clear", false],
    ["/skill:greet", false],
    ["/unknown", false],
    ["hello", false],
  ])("%j works while a prompt runs: %p", (text, expected) => {
    expect(worksWhileRunning(text)).toBe(expected);
  });

  test("/help names every command and the keys", async () => {
    const [text = ""] = await done("/help");
    for (const word of [
      "/help",
      "/info",
      "/compact",
      "/clear",
      "/skills",
      "/skill:",
      "/quit",
      "/exit",
      "Ctrl+C",
      "Ctrl+J",
      "Ctrl+L",
      "Ctrl+D",
    ]) {
      expect(text).toContain(word);
    }
  });

  test("/skills lists names and descriptions, one a line", async () => {
    expect(await done("/skills")).toEqual(["/skill:greet  Says hi\n/skill:part  Says bye"]);
  });

  test("/skills says where skills live when there are none", async () => {
    expect(await done("/skills", false)).toEqual([expect.stringContaining("skills/NAME/SKILL.md")]);
  });

  test("/clear archives and then says so", async () => {
    expect(await done("/clear")).toEqual(["clear", expect.stringContaining("archived")]);
  });

  test("/info and /compact do what they say", async () => {
    expect([await done("/info"), await done("/compact")]).toEqual([["info"], ["compact"]]);
  });

  test.each(["/quit", "/exit", "/quit now"])("%s leaves", async (text) => {
    expect(await done(text)).toEqual(["leave"]);
  });

  test("/skill:name goes to the agent as it is, arguments included", async () => {
    expect(await done("/skill:greet Ann\n  and Bob ")).toEqual(["prompt /skill:greet Ann\n  and Bob "]);
  });

  test.each([
    ["/hepl", "/help"],
    ["/skils", "/skills"],
    ["/skill:gret", "/skill:greet"],
    ["/constructor", "/help shows all"],
    ["/xyzzy", "/help shows all"],
    ["/", "/help"],
  ])("%s is answered with a hint to %s", async (text, hint) => {
    expect(await done(text)).toEqual([expect.stringContaining(hint)]);
  });
});
