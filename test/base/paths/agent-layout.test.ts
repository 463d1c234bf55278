import { expect, test } from "bun:test";
import { DATA_FOLDERS, dataLayout, sourceLayout } from "@mdx-ai/base";

test("the files that people write are in the source directory", () => {
  expect(sourceLayout("/a")).toStrictEqual({
    definition: "/a/agent.mdx",
    heartbeat: "/a/heartbeat.md",
    notes: "/a/AGENT.md",
    lockFile: "/a/agent.lock.json",
    skills: "/a/skills",
    modules: "/a/modules",
    agents: "/a/agents",
  });
});

test("the files that the runtime writes are in the data directory, in its three folders", () => {
  const layout = dataLayout("/d");
  expect(layout).toStrictEqual({
    sessions: "/d/sessions",
    state: "/d/state",
    logs: "/d/logs",
    agentState: "/d/state/agent-state.json",
    heartbeatRecord: "/d/state/heartbeat.jsonl",
    heartbeatLock: "/d/state/heartbeat.lock",
    modules: "/d/state/modules",
    usage: "/d/state/usage.jsonl",
    agents: "/d/state/agents",
    memory: "/d/state/memory.json",
    memoryLock: "/d/state/memory.lock",
    memoryFolder: "/d/state/memory",
    memoryStore: "/d/state/memory/memory.db",
  });
  for (const path of Object.values(layout)) expect(DATA_FOLDERS).toContain(path.split("/")[2] ?? "");
});
