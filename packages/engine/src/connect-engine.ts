import type { Redactor } from "@mdx-ai/base";
import type { SharedAgent } from "@mdx-ai/directory";
import { engineDirectory } from "./engine-agent.ts";
import { serviceName } from "./protocol.ts";
import { adminAddress, findServer, RestateClient } from "./restate-client.ts";
import { EngineSessions } from "./shared-sessions.ts";

/**
 * Connects to the sessions of an agent in an engine without being a worker: others run its prompts. `redactor` redacts what is sent, since the
 * engine stores it. Rejects with `EngineError`.
 */
export async function connectEngine(address: string, name: string, redactor: Redactor): Promise<SharedAgent> {
  const client = new RestateClient(await findServer(adminAddress(address)), { redactor });
  const parts = { client, agent: serviceName(name), user: undefined };
  const copies = new EngineSessions(parts);
  return {
    async open(local, id) {
      const sessions = new EngineSessions({ ...parts, opened: local.agent });
      try {
        if (id !== undefined) await sessions.refresh(id);
        return engineDirectory(local, sessions, id ?? (await sessions.create(undefined, undefined)));
      } catch (error) {
        sessions.close();
        throw error;
      }
    },
    async copyAll() {
      await copies.refreshAll();
      return copies.directory;
    },
    delete: (id) => copies.change(id, "remove"),
    close: () => copies.close(),
  };
}
