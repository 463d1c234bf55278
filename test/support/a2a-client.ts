import { type Message, type Part, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import type { Reply } from "./replies.ts";
import { type ServedAgent, TOKEN } from "./served-agent.ts";

/** A reply that calls a command, which the user must allow. */
export const COMMAND: Reply = {
  text: "Let me.",
  calls: [{ id: "c1", name: "bash", arguments: { command: "touch made" } }],
};

/** The protocol's own client, which finds the agent by its card. */
export function clientOf({ server }: ServedAgent, path = "/api/agents/agent/", token: string = TOKEN): Promise<Client> {
  const authorized: typeof fetch = Object.assign(
    (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    },
    { preconnect: fetch.preconnect },
  );
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: authorized }),
    }),
  );
  return factory.createFromUrl(`${server.url}${path}`);
}

export const textPart = (value: string): Part => ({
  ...{ content: { $case: "text", value }, mediaType: "", filename: "", metadata: undefined },
});

export const dataPart = (value: object): Part => ({
  ...{ content: { $case: "data", value }, mediaType: "application/json", filename: "", metadata: undefined },
});

const messageOf = (parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  ...{ messageId: crypto.randomUUID(), contextId: "", taskId: "", role: Role.ROLE_USER, parts: [...parts] },
  ...{ metadata: undefined, extensions: [], referenceTaskIds: [], ...more },
});

type MessageRequest = Parameters<Client["sendMessage"]>[0];

export const requestOf = (
  text: string | readonly Part[],
  more: Partial<Message> = {},
  returnImmediately = false,
): MessageRequest => ({
  tenant: "",
  message: messageOf(typeof text === "string" ? [textPart(text)] : text, more),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  metadata: undefined,
});

export async function send(client: Client, ...request: Parameters<typeof requestOf>): Promise<Task> {
  const result = await client.sendMessage(requestOf(...request));
  if (!("status" in result)) throw new Error("the result is no task");
  return result;
}

export const textOf = (parts: readonly Part[] = []): string =>
  parts.flatMap(({ content }) => (content?.$case === "text" ? [content.value] : [])).join("");

export const answerOf = ({ artifacts }: Task): string => artifacts.map(({ parts }) => textOf(parts)).join("|");

export const stateOf = ({ status }: Pick<Task, "status">): string => TaskState[status?.state ?? 0] ?? "";

export async function all(updates: AsyncIterable<StreamResponse>): Promise<readonly StreamResponse[]> {
  const list: StreamResponse[] = [];
  for await (const update of updates) list.push(update);
  return list;
}

export const get = (client: Client, id: string, historyLength?: number): Promise<Task> =>
  client.getTask({ tenant: "", id, ...(historyLength !== undefined && { historyLength }) });
