import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  DirectoryError,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
  type TrustQuestion,
} from "@mdx-ai/directory";
import { answerText } from "@mdx-ai/loop";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles, writeText } from "../../../../test/support/agent-files.ts";
import { type NotedFrontEnd, surroundingsIn } from "../../../../test/support/front-end.ts";
import { type Reply, scriptReference } from "../../../../test/support/replies.ts";
import { cliCommand } from "../../../../test/support/run-cli.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { itemsOf } from "../manifest/manifest.ts";

const toolHostCommand = cliCommand(["__tool-host"]);

/** A program of a user, and an agent of his. */
function home(agent: string, replies: readonly Reply[] = [{ text: "Good day" }]) {
  const folder = temporaryDirectory();
  const path = writeFiles(join(folder.path, "agent"), { "agent.mdx": agent });
  const frontEnd: NotedFrontEnd = { ...surroundingsIn(folder.path), toolHostCommand };
  const run = { flags: { model: scriptReference(folder.path, replies) } };
  const { signal } = new AbortController();
  const open = (options: Partial<OpenDirectoryOptions> = {}): Promise<OpenDirectory> =>
    openDirectory("agent", { frontEnd, signal, ...options, run: { ...run, ...options.run } });
  return { path, frontEnd, open, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function answerTo(prompt: string, { agent, session }: OpenDirectory): Promise<string> {
  for await (const event of agent.session(session).prompt(prompt)) void event;
  return answerText(await agent.session(session).messages());
}

const trusted = { isTrusted: true };

describe("a directory that is opened", () => {
  test("gives an agent that answers, with its data, its session and its definition", async () => {
    using user = home(GREETING_AGENT);
    const open = await user.open({ run: trusted });
    try {
      expect(await answerTo("Hi", open)).toBe("Good day");
      expect([open.session, open.dataDirectory]).toStrictEqual(["main", user.path]);
      expect(open.directory.definition.tools.map(({ name }) => name)).toStrictEqual(["greet"]);
      expect(new Set(itemsOf(open.directory.manifest ?? { entries: [] }, "tool"))).toStrictEqual(new Set(["greet"]));
      expect(open.settings.permissions).toStrictEqual({ allow: [], deny: [], allowsAll: false });
    } finally {
      await open.close();
    }
  });

  test("continues the session that a run names, and begins another one for new", async () => {
    using user = home(MINIMAL_AGENT);
    const named = await user.open({ run: { ...trusted, session: "work" } });
    await answerTo("Hi", named);
    await named.close();
    const fresh = await user.open({ run: { ...trusted, session: "new" } });
    await fresh.close();
    const last = await user.open({ run: { ...trusted, session: "work", isResumed: true } });
    try {
      expect(last.session).toBe("work");
      expect(await last.agent.session("work").messages()).toHaveLength(2);
      expect(fresh.session).not.toBe("new");
    } finally {
      await last.close();
    }
  });

  test("keeps its data in a folder of the user's choice", async () => {
    using user = home(MINIMAL_AGENT);
    const data = join(user.path, "../data");
    const open = await user.open({ run: { ...trusted, data } });
    await answerTo("Hi", open);
    await open.close();
    expect(open.dataDirectory).toBe(data);
    expect(await Bun.file(join(data, "sessions/main/history.json")).exists()).toBeTrue();
  });
});

describe("an untrusted directory", () => {
  test("is refused if there is no one to ask", async () => {
    using user = home(GREETING_AGENT);
    const refusal = await user.open().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DirectoryError);
    expect(refusal).toMatchObject({ problem: "untrusted" });
    expect(user.frontEnd.notices).toStrictEqual([]);
  });

  test("is opened once its user says so, and is trusted from then on if he wants it", async () => {
    using user = home(GREETING_AGENT);
    const questions: TrustQuestion[] = [];
    const askTrust = async (question: TrustQuestion) => {
      questions.push(question);
      return "always" as const;
    };
    await (await user.open({ askTrust })).close();
    await (await user.open({ askTrust })).close();
    expect(questions.map(({ path, canKeep }) => [path, canKeep])).toStrictEqual([[user.path, true]]);
  });

  test("is refused again when its code has changed, and a notice names the change", async () => {
    using user = home(GREETING_AGENT);
    await (await user.open({ askTrust: async () => "always" })).close();
    writeText(join(user.path, "agent.mdx"), GREETING_AGENT.replace("Hello", "Hallo"));
    await expect(user.open()).rejects.toMatchObject({ problem: "untrusted" });
    expect(user.frontEnd.notices).toStrictEqual([{ type: "trust_changed", changes: ['~ tool "greet": code'] }]);
  });
});

describe("a directory that cannot be opened", () => {
  test("is refused with its diagnostics as a notice if it has errors", async () => {
    using user = home(GREETING_AGENT.replace('name="greet"', 'name=""'));
    const message = expect.stringMatching(
      / cannot run until its error is fixed: agent\.mdx:\d+:\d+ `<Tool>` has no name; write/,
    );
    await expect(user.open({ run: trusted })).rejects.toMatchObject({ problem: "invalid", message });
    const [notice] = user.frontEnd.notices;
    expect(notice?.type === "diagnostics_found" && notice.directory.diagnostics.length).toBeGreaterThan(0);
  });

  test.each(["AGENTS.md", "CLAUDE.md"])("names the command that makes an agent of its %s", async (name) => {
    using user = home(GREETING_AGENT);
    rmSync(join(user.path, "agent.mdx"));
    writeText(join(user.path, name), "Use tabs.");
    await expect(user.open({ run: trusted })).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`make an agent of its ${name}: mdx-ai init my-agent --from /\\S+$`)),
    });
  });

  test("is given up when the signal has fired", async () => {
    using user = home(GREETING_AGENT);
    await expect(user.open({ run: trusted, signal: AbortSignal.abort() })).rejects.toMatchObject({
      problem: "interrupted",
    });
  });

  test("is refused for a folder of data within it", async () => {
    using user = home(MINIMAL_AGENT);
    const data = join(user.path, "sessions/inner");
    await expect(user.open({ run: { ...trusted, data } })).rejects.toMatchObject({ problem: "data" });
  });
});

describe("an open directory whose files change", () => {
  test("is another one from the next prompt on, with a question if its code changed", async () => {
    using user = home(GREETING_AGENT, [{ text: "one" }, { text: "two" }, { text: "three" }]);
    const heard: string[] = [];
    const onReload = {
      reloaded: () => void heard.push("reloaded"),
      broken: () => void heard.push("broken"),
      askTrust: async (changes: readonly { readonly name: string }[]) => {
        heard.push(...changes.map(({ name }) => name));
        return "once" as const;
      },
    };
    const open = await user.open({ run: trusted, onReload });
    try {
      await answerTo("Hi", open);
      writeText(
        join(user.path, "agent.mdx"),
        GREETING_AGENT.replace("Greet people", "Greet all").replace("Hello", "Hallo"),
      );
      await answerTo("Hi", open);
      expect(heard).toStrictEqual(['tool "greet": code', "reloaded"]);
      expect(open.directory.definition.tools[0]?.code.text).toContain("Hallo");
      writeText(join(user.path, "agent.mdx"), GREETING_AGENT.replace('name="greet"', 'name=""'));
      expect(await answerTo("Hi", open)).toBe("three");
      expect(heard.at(-1)).toBe("broken");
      expect(open.directory.diagnostics).toStrictEqual([]);
    } finally {
      await open.close();
    }
  });
});
