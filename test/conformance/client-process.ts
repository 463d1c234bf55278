// A client of the conformance suite over `openMcpConnection`: connects to the server of a scenario and uses all that it offers.
import { openMcpConnection } from "@mdx-ai/mcp";

const url = process.argv[2] ?? "";
const context = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
const connection = openMcpConnection({
  name: "suite",
  baseDir: process.cwd(),
  environment: {},
  server: {
    transport: "http",
    url,
    oauth: {
      ...(context.client_id && { client_id: context.client_id, client_secret: context.client_secret }),
      client_metadata_url: "https://conformance-test.local/client-metadata.json",
    },
  },
  limits: { connect: 20000, call: 20000 },
  onQuestion: async (q) => {
    console.log("question", JSON.stringify(q));
    return { action: "accept", content: {} };
  },
  onSignIn: (address) => {
    console.log("sign-in", address);
    void fetch(address).then(async (r) => console.log("signed in", r.status, await r.text()));
  },
  onWarning: (m) => console.log("warning", m),
});
await connection.connect();
console.log(
  connection.state,
  connection.tools.map((t) => t.name),
);
const signal = AbortSignal.timeout(25000);
const calls = context.toolCalls ?? connection.tools.map((t) => ({ name: t.name, arguments: sample(t.inputSchema) }));
await Promise.all(
  calls.map(async (c: any) => {
    try {
      console.log(c.name, JSON.stringify(await connection.call(c.name, c.arguments, { signal })));
    } catch (e) {
      console.log(c.name, "failed:", String(e), (e as any).cause);
    }
  }),
);
for (const r of await connection.resources(signal).catch(() => []))
  await connection.readResource(r.uri, signal).catch(console.log);
for (const p of await connection.prompts(signal).catch(() => []))
  await connection.prompt(p.name, Object.fromEntries(p.arguments.map((a) => [a.name, "x"])), signal).catch(console.log);
await connection.close();
function sample(schema: any) {
  const value = (s: any) =>
    s.default ?? (s.type === "number" || s.type === "integer" ? 1 : s.type === "boolean" ? true : "x");
  return Object.fromEntries((schema.required ?? []).map((k: string) => [k, value(schema.properties?.[k] ?? {})]));
}
