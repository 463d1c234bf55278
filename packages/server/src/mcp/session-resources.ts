import { fileStore, SessionIdError, UnknownSessionError } from "@mdx-ai/sessions";
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { sessionView, sessionViews } from "../http/routes/session-view.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import { sessionUri } from "./session-uri.ts";

const MIME_TYPE = "application/json";

/** Offers the agent's sessions as resources: figures, state and messages as JSON. */
export function addSessions(server: McpServer, { open, redactor }: AgentServerParts): void {
  const list = () => {
    const { sessions } = fileStore({ dataDirectory: open.dataDirectory }).list();
    const resources = sessionViews(open, sessions).map(({ id, title }) => ({
      ...{ uri: sessionUri(id), name: id, mimeType: MIME_TYPE },
      ...(title !== "" && { title: redactor.text(title) }),
    }));
    return { resources };
  };
  const template = new ResourceTemplate("session://{id}", { list });
  const about = { title: "Sessions", description: "A conversation with the agent", mimeType: MIME_TYPE };
  server.registerResource("session", template, about, async ({ href }, { id }) => {
    const text = JSON.stringify(redactor.value(await read(decodeURIComponent(String(id)), href)));
    return { contents: [{ uri: href, mimeType: MIME_TYPE, text }] };
  });

  async function read(id: string, uri: string) {
    try {
      const messages = await open.agent.session(id).messages();
      return { ...sessionView(open, id), messages };
    } catch (error) {
      if (error instanceof UnknownSessionError || error instanceof SessionIdError) throw new ResourceNotFoundError(uri);
      throw error;
    }
  }
}
