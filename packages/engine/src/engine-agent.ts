import type { OpenDirectory } from "@mdx-ai/directory";
import type { Agent } from "@mdx-ai/runtime";
import { checkSessionId } from "@mdx-ai/sessions";
import { EngineSession } from "./engine-session.ts";
import type { EngineSessions } from "./shared-sessions.ts";

/** An open agent whose sessions are in an engine. Everything else is on this machine. */
export const engineDirectory = (
  open: OpenDirectory,
  sessions: EngineSessions,
  session: string = open.session,
): OpenDirectory => ({
  get directory() {
    return open.directory;
  },
  ...{ agent: engineAgent(open, sessions), settings: open.settings, folder: open.folder, session },
  ...{ dataDirectory: sessions.directory, shared: sessions },
  close: async () => {
    sessions.close();
    await open.close();
  },
});

function engineAgent({ agent, session: usual }: OpenDirectory, sessions: EngineSessions): Agent {
  // It has no state of its own.
  const session = (id: string = usual): EngineSession => {
    checkSessionId(id);
    return new EngineSession(id, sessions, agent.session(id));
  };
  return {
    session,
    name: agent.name,
    get model() {
      return agent.model;
    },
    get fallbacks() {
      return agent.fallbacks;
    },
    get tools() {
      return agent.tools;
    },
    get permittedTools() {
      return agent.permittedTools;
    },
    get toolSchemas() {
      return agent.toolSchemas;
    },
    get servers() {
      return agent.servers;
    },
    get mode() {
      return agent.mode;
    },
    memory: agent.memory,
    shell: agent.shell,
    setMode: (mode) => agent.setMode(mode),
    systemPrompt: () => agent.systemPrompt(),
    refresh: () => agent.refresh(),
    close: async () => {
      sessions.close();
      await agent.close();
    },
  };
}
