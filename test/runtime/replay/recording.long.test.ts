import { describe, expect, test } from "bun:test";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openReplay } from "@mdx-ai/runtime";
import { BUILTIN_TOOLS, builtinTools } from "@mdx-ai/tools";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

describe("a recorded call", () => {
  test.each(BUILTIN_TOOLS)(
    "of the builtin tool %s is replayed without running, whatever the settings are now",
    async (name) => {
      const webSearch = { url: "http://127.0.0.1:1/" };
      using directory = agentDirectory({
        "agent.mdx": `---\nbuiltins: ["${name}"]\n---\n# Agent: A\n\n## Purpose\n\nHelps.\n`,
      });
      const { path } = directory;
      const [tool] = builtinTools({ environment: {}, webSearch }, [name]);
      const call = { id: "c1", name: name.replaceAll(".", "_"), arguments: tool?.example ?? {} };
      const agent = await openScriptAgent(path, [{ calls: [call] }, { text: "done" }], { webSearch });
      await Array.fromAsync(agent.session().prompt("go"));
      await agent.close();
      const replay = await openReplay(await readAgentDirectory(path), { session: "main" });
      const [recorded] = replay.recording.prompts;
      if (recorded === undefined) throw new Error("nothing was recorded");
      const events = await Array.fromAsync(replay.play(recorded));
      expect(events.flatMap((event) => (event.type === "tool_execution_start" ? event.toolName : []))).toStrictEqual([
        name,
      ]);
      expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
      expect(replay.changes(replay.recording.prompts)).toStrictEqual([]);
    },
  );
});
