import { connect } from "node:net";
import { errorMessage, isRecord, jsonValue, recordOf } from "@mdx-ai/base";
import { EngineError } from "./engine-error.ts";
import { serviceNames } from "./protocol.ts";
import type { RestateClient } from "./restate-client.ts";

/** An agent of a worker. */
export interface RegisteredAgent {
  /** Its name in the engine. */
  readonly service: string;
  /** Its name in the directory. */
  readonly title: string;
}

/** The key of an agent's title in the metadata of its services. */
const TITLE = "mdx-ai.agent";

/** What the engine stores about an agent's services. */
export const serviceMetadata = (title: string): Record<string, string> => ({ [TITLE]: title });

/**
 * Registers a worker's address, at which the engine then finds the agents. If their earlier address is dead, unfinished prompts move to this one.
 * Rejects with `EngineError`, also if another agent has one of the names, or if other workers of an agent listen elsewhere.
 */
export async function registerWorker(
  client: RestateClient,
  uri: string,
  agents: readonly RegisteredAgent[],
): Promise<void> {
  const dead: string[] = [];
  for (const agent of agents) {
    const known = await knownAgent(client, agent.service);
    if (known === undefined) continue;
    const { title, deployment, address } = known;
    if (title !== agent.title)
      throw new EngineError(
        `the engine has another agent ${agent.service} already (${JSON.stringify(title)}, at ${address}); rename the folder of one of them`,
      );
    if (address === withoutSlash(uri)) continue;
    if (await isAlive(address))
      throw new EngineError(
        `the workers of agent ${agent.service} listen at ${address}; start this one with --worker-url ${address}, behind the same balancer or on the same port, or end those first`,
      );
    dead.push(deployment);
  }
  await register(client, uri);
  for (const deployment of dead) await moveFrom(client, deployment);
}

interface KnownAgent {
  readonly title: string;
  /** The id of its deployment. */
  readonly deployment: string;
  readonly address: string;
}

async function knownAgent({ server }: RestateClient, service: string): Promise<KnownAgent | undefined> {
  const found = await adminJson(`${server.admin}/services/${serviceNames(service).controller}`);
  if (found === undefined) return undefined;
  const deployment = String(found["deployment_id"]);
  const { uri = "" } = (await adminJson(`${server.admin}/deployments/${deployment}`)) ?? {};
  return { title: String(recordOf(found["metadata"])[TITLE] ?? ""), deployment, address: withoutSlash(String(uri)) };
}

/** Rejects with `EngineError`. */
async function adminJson(address: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const answer = await reached(fetch(address), address);
  return answer.status === 404 ? undefined : recordOf(jsonValue(await answer.text()));
}

const reached = (answer: Promise<Response>, address: string): Promise<Response> =>
  answer.catch((cause: unknown) => {
    throw new EngineError(`the Restate server at ${address} cannot be reached: ${errorMessage(cause)}`, { cause });
  });

const withoutSlash = (address: string): string => address.replace(/\/+$/, "");

/** Whether something listens at an address. */
function isAlive(address: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port || (protocol === "https:" ? 443 : 80)),
    });
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

/** Registers an address. Rejects with `EngineError`. */
async function register({ server }: RestateClient, uri: string): Promise<void> {
  const asked = fetch(`${server.admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri, force: true }),
  });
  const answer = await reached(asked, server.admin);
  if (answer.ok) return;
  const found = jsonValue(await answer.text());
  const said = isRecord(found) && typeof found["message"] === "string" ? found["message"] : `status ${answer.status}`;
  throw new EngineError(
    `the Restate server does not take the worker at ${uri}: ${said}; --worker-url is the address at which the server finds it`,
  );
}

/** Lets prompts continue that began at an address where nothing listens any more. */
async function moveFrom(client: RestateClient, deployment: string): Promise<void> {
  const { admin } = client.server;
  const rows = await client.query(
    `SELECT id FROM sys_invocation WHERE pinned_deployment_id = '${deployment}' AND status != 'completed'`,
  );
  for (const id of rows.flatMap((row) => (isRecord(row) ? [String(row["id"])] : []))) {
    const change = (what: string): Promise<Response> =>
      reached(fetch(`${admin}/invocations/${id}/${what}`, { method: "PATCH" }), admin);
    if ((await change("resume?deployment=Latest")).ok) continue;
    // One that is tried again and again must be paused first.
    await change("pause");
    for (let tries = 0; tries < 50 && !(await change("resume?deployment=Latest")).ok; tries++) await Bun.sleep(100);
  }
}
