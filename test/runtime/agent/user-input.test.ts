import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageContent } from "@mdx-ai/models";
import { readSession } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { gatedCall, openGate } from "../../support/gated-tool.ts";
import { openScriptAgent } from "../../support/script-agent.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image: ImageContent = { type: "image", data: PNG, mimeType: "image/png" };
const never = async (): Promise<boolean> => {
  throw new Error("nobody should be asked");
};

async function ended(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _event of events);
}

describe("the images of an input", () => {
  test("follow its text, also of one that waited in the queue, and are journaled with it", async () => {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, [{ text: "One.", delay: 100 }, { text: "Two." }]);
    const first = ended(agent.session().prompt("look", { images: [image] }));
    await ended(agent.session().prompt("and again", { images: [image], isKept: true }));
    await first;
    await agent.close();
    const contents = readSession(directory.path, "main").messages.map(({ content }) => content.map(({ type }) => type));
    expect(contents).toStrictEqual([["text", "image"], ["text"], ["text", "image"], ["text"]]);
  });

  test("are there when another process runs what was in the queue", async () => {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, [{ text: "never", delay: 600_000 }]);
    ended(agent.session().prompt("first")).catch(() => {});
    await agent.session().submit("look", { images: [image] });
    await agent.close();
    const next = await openScriptAgent(directory.path, [{ text: "One." }, { text: "Two." }]);
    await ended(next.session().resume());
    const inputs = (await next.session().messages()).filter(({ role }) => role === "user");
    expect(inputs.at(-1)?.content).toStrictEqual([{ type: "text", text: "look" }, image]);
    await next.close();
  });

  test("reach a running prompt", async () => {
    using directory = agentDirectory();
    const call = { id: "a", name: "bash", arguments: gatedCall("gate") };
    const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "Seen." }]);
    let accepted: Promise<boolean> | undefined;
    for await (const event of agent.session().prompt("go")) {
      if (event.type !== "tool_execution_start") continue;
      accepted = agent
        .session()
        .steer("look", [image])
        .finally(() => openGate(directory.path, "gate"));
    }
    expect(await accepted).toBe(true);
    const inputs = (await agent.session().messages()).filter(({ role }) => role === "user");
    expect(inputs.at(-1)?.content).toStrictEqual([{ type: "text", text: "look" }, image]);
    await agent.close();
  });
});

describe("a command of the user", () => {
  test("runs where tools work, shows its output as it comes, and says how it ended", async () => {
    using directory = agentDirectory({ "here.txt": "" });
    const agent = await openScriptAgent(directory.path, []);
    const pieces: string[] = [];
    const { signal } = new AbortController();
    const command = "ls here.txt; echo problem >&2; exit 3";
    const end = await agent.shell.run({ command, signal, onOutput: (text) => void pieces.push(text) });
    expect(end).toStrictEqual({ output: "here.txt\nproblem\n", problem: "exit code 3" });
    expect(pieces.join("")).toBe(end.output);
    await agent.close();
  });

  test("is ended with all that it started", async () => {
    using directory = agentDirectory();
    const agent = await openScriptAgent(directory.path, []);
    const controller = new AbortController();
    const onOutput = (): void => controller.abort();
    const end = await agent.shell.run({
      command: "echo begun; sleep 600 & wait",
      signal: controller.signal,
      onOutput,
    });
    expect(end).toStrictEqual({ output: "begun\n", problem: "stopped by the user" });
    await agent.close();
  });
});

describe("a file that the user attaches", () => {
  test("is read as read_file reads it: lines, images, no binary files", async () => {
    using directory = agentDirectory({ "a.txt": "1\n2\n3\n4\n", "x.bin": "a\0b" });
    writeFileSync(join(directory.path, "x.png"), Buffer.from(PNG, "base64"));
    const agent = await openScriptAgent(directory.path, []);
    expect(await agent.session().readAttachment({ path: "a.txt" }, never)).toBe("1\n2\n3\n4\n");
    expect(await agent.session().readAttachment({ path: "a.txt", offset: 2, limit: 2 }, never)).toStartWith("2\n3\n");
    expect(await agent.session().readAttachment({ path: "x.png" }, never)).toMatchObject({
      content: [{ type: "text" }, image],
    });
    expect(agent.session().readAttachment({ path: "x.bin" }, never)).rejects.toThrow("is a binary file");
    await agent.close();
  });

  test("counts as read: a tool does not write over it once it has changed", async () => {
    using directory = agentDirectory({ "a.txt": "one", "b.txt": "one" });
    const write = (id: string, path: string) => ({ id, name: "write_file", arguments: { path, content: "mine" } });
    const calls = [write("1", "a.txt"), write("2", "b.txt")];
    const agent = await openScriptAgent(directory.path, [{ calls }, { text: "Done." }]);
    await agent.session().readAttachment({ path: "a.txt" }, never);
    await agent.session("another").readAttachment({ path: "b.txt" }, never);
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(directory.path, name), "other");
    await ended(agent.session().prompt("write them"));
    const results = (await agent.session().messages()).flatMap((message) =>
      message.role === "toolResult" ? [message] : [],
    );
    await agent.close();
    expect(JSON.stringify(results[0]?.content)).toContain("has changed since you last read or wrote it");
    expect(results.map(({ isError }) => isError)).toStrictEqual([true, false]);
    expect(readFileSync(join(directory.path, "a.txt"), "utf8")).toBe("other");
  });

  test("is asked about where tools are, and is refused where the user denies it", async () => {
    using outside = temporaryDirectory();
    using directory = agentDirectory({ "kept.txt": "kept", ".env": "A=1\n" });
    writeFileSync(join(outside.path, "far.txt"), "far");
    const agent = await openScriptAgent(directory.path, [], { permissions: { deny: ["read_file(kept.txt)"] } });
    const reasons: string[] = [];
    const answer = (isAllowed: boolean) => async (reason: string) => {
      reasons.push(reason);
      return isAllowed;
    };
    const far = { path: join(outside.path, "far.txt") };
    expect(agent.session().readAttachment(far, answer(false))).rejects.toThrow("not run: ");
    expect(await agent.session().readAttachment(far, answer(true))).toBe("far");
    expect(await agent.session().readAttachment({ path: ".env" }, answer(true))).toContain("A=");
    expect(reasons.length).toBe(3);
    expect(agent.session().readAttachment({ path: "kept.txt" }, never)).rejects.toThrow("not run: ");
    await agent.close();
    expect(readFileSync(join(directory.path, "kept.txt"), "utf8")).toBe("kept");
  });
});
