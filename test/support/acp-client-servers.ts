import { join } from "node:path";
import type { CreateElicitationRequest, McpServer } from "@agentclientprotocol/sdk";
import { type AcpEditor, acpEditor, choosing } from "./acp-editor.ts";
import { writeText } from "./agent-files.ts";
import { bareServer } from "./mcp-server-file.ts";
import type { Reply } from "./replies.ts";

/** A server whose tool asks for a name, or to open an address, and says what it was answered; with a variable of its own. */
const ASKING: string = bareServer(`
let call;
const ask = (params) => (id) => {
  call = id;
  send({ id: "q1", method: "elicitation/create", params });
};
const form = { type: "object", properties: { name: { type: "string", title: "Name" } }, required: ["name"] };
handlers["tools/call"] = (id, params) => {
  if (params.name === "greet") ask({ message: "Who?", requestedSchema: form })(id);
  else ask({ mode: "url", message: "Pay", elicitationId: "e1", url: "https://example.com/pay" })(id);
};
tools = ["greet", "pay"].map((name) => ({ name, inputSchema: { type: "object" } }));
process.stdin.on("data", (data) => {
  for (const line of String(data).split("\\n").filter(Boolean)) {
    const { id, method, result } = JSON.parse(line);
    if (method === undefined && id === "q1") text(call, process.env.GREETING + " " + JSON.stringify(result));
  }
});`);

/** Replies of which the first calls a tool of the server. */
const calling = (tool: string): readonly Reply[] => [
  { calls: [{ id: "1", name: `mcp__ask-me__${tool}`, arguments: {} }] },
  { text: "Done." },
];

export interface Asking {
  readonly capabilities?: object;
  readonly tool?: string;
  readonly elicitation?: (
    asked: CreateElicitationRequest,
  ) => Promise<{ action: "accept"; content?: { name: string } } | { action: "decline" }>;
}

interface AskingSession extends AsyncDisposable {
  readonly editor: AcpEditor;
  readonly server: McpServer;
  readonly sessionId: string;
}

/** A session of an editor that brings the asking server along. */
export async function asking({ capabilities = {}, tool = "greet", elicitation }: Asking): Promise<AskingSession> {
  const editor = await acpEditor({
    ...{ capabilities, permission: choosing("yes"), replies: calling(tool) },
    ...(elicitation !== undefined && { elicitation }),
  });
  const file = join(editor.parts.home, "server.mjs");
  writeText(file, ASKING);
  const server: McpServer = {
    name: "ask me",
    command: process.execPath,
    args: [file],
    env: [{ name: "GREETING", value: "Dear" }],
  };
  const { sessionId } = await editor.open({ mcpServers: [server] });
  return { editor, server, sessionId, [Symbol.asyncDispose]: () => editor[Symbol.asyncDispose]() };
}

/** The capabilities of a client that shows forms and addresses. */
export const BOTH: { readonly elicitation: object } = { elicitation: { form: {}, url: {} } };
