import { isRecord, jsonValue, type Redactor } from "@mdx-ai/base";
import { isJournalLine, type JournalLine, SessionExistsError, UnknownSessionError } from "@mdx-ai/sessions";
import { isSessionInfo, objectKey, type SessionInfo, serviceName, serviceNames } from "./protocol.ts";
import { adminAddress, findServer, RestateClient } from "./restate-client.ts";

/** A session of an agent in an engine. */
export interface StoredSessionName {
  /** Such as "restate://127.0.0.1:9070". */
  readonly address: string;
  /** The name of the agent, as its workers give it. */
  readonly agent: string;
  /** Default: the session of the person who runs the workers. */
  readonly user?: string | undefined;
  readonly id: string;
}

/** What an engine has of a session. */
export interface StoredSessionContent {
  readonly lines: readonly JournalLine[];
  readonly title: string | undefined;
}

/** Reads a session from the engine's own tables; no worker need run. Rejects with `EngineError`, `JournalError` or `UnknownSessionError`. */
export async function readEngineSession({
  address,
  agent,
  user,
  id,
}: StoredSessionName): Promise<StoredSessionContent> {
  const client = new RestateClient(await findServer(adminAddress(address)));
  const { controller, session } = serviceNames(serviceName(agent));
  const key = sqlText(objectKey(user, id));
  const rows = await client.query(
    `SELECT key, value_utf8 FROM state WHERE service_name IN (${sqlText(controller)}, ${sqlText(session)}) AND service_key = ${key}`,
  );
  const values = new Map(
    rows.flatMap((row): [string, unknown][] =>
      isRecord(row) ? [[String(row["key"]), jsonValue(String(row["value_utf8"]))]] : [],
    ),
  );
  const info = values.get("info");
  if (!isSessionInfo(info)) throw new UnknownSessionError(id);
  const chunks = [...values]
    .flatMap(([name, value]) => (/^c:\d+$/.test(name) ? [{ number: Number(name.slice(2)), value }] : []))
    .sort((one, other) => one.number - other.number);
  const lines = chunks.flatMap(({ value }) => (Array.isArray(value) ? value.filter(isJournalLine) : []));
  return { lines, title: info.title };
}

/** Makes a session from lines; a worker of the agent must run. Rejects with `EngineError`, `JournalError` or `SessionExistsError`. */
export async function writeEngineSession(
  { address, agent, user, id }: StoredSessionName,
  { lines, title }: StoredSessionContent,
  redactor: Redactor,
): Promise<void> {
  const client = new RestateClient(await findServer(adminAddress(address)), { redactor });
  const { controller } = serviceNames(serviceName(agent));
  const info: SessionInfo = { key: crypto.randomUUID(), created: Date.now(), ...(title !== undefined && { title }) };
  const key = objectKey(user, id);
  if ((await client.call(controller, key, "create", info)) !== true) throw new SessionExistsError(id);
  await client.call(controller, key, "append", lines);
}

const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
