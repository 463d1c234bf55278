// A channel: a signed webhook prompts the agent, and its answer is posted back.
//
//   WEBHOOK_SECRET   signs requests and answers: `x-signature: sha256=HEX`, the HMAC-SHA256 of the body
//   WEBHOOK_PORT     the port of POST /webhook on this machine; 0 for a free one, which the log names
//   WEBHOOK_ANSWERS  where answers are posted: {"id": …, "answer": …, "outcome": …}
//
// A request is {"id": "m1", "text": "What is new?"}. One with an id that was seen before is accepted and not repeated.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { AgentModule, ModuleContext } from "mdx-ai";

const { WEBHOOK_SECRET: secret = "", WEBHOOK_PORT: port, WEBHOOK_ANSWERS: answers = "" } = process.env;

const MAX_BODY = 100_000;
const seen = new Set<string>();
let server: Bun.Server<undefined> | undefined;
let agent: ModuleContext | undefined;

const signatureOf = (body: string): string => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

function isSigned(body: string, given: string): boolean {
  const expected = signatureOf(body);
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

async function receive(request: Request): Promise<Response> {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/webhook")
    return new Response(null, { status: 404 });
  const body = await request.text();
  if (!isSigned(body, request.headers.get("x-signature") ?? "")) return new Response(null, { status: 401 });
  const { id, text } = JSON.parse(body);
  if (typeof id !== "string" || typeof text !== "string") return new Response(null, { status: 422 });
  if (!seen.has(id)) void answer(id, text);
  seen.add(id);
  return new Response(null, { status: 202 });
}

async function answer(id: string, text: string): Promise<void> {
  try {
    const result = await agent?.prompt(text);
    const body = JSON.stringify({ id, answer: result?.text, outcome: result?.outcome });
    const headers = { "content-type": "application/json", "x-signature": signatureOf(body) };
    await fetch(answers, { method: "POST", headers, body });
  } catch (error) {
    await agent?.log(`message ${id} was not answered: ${error}`);
  }
}

export default {
  describe: () => ({ name: "webhook", description: "Answers signed webhooks" }),
  async initialize(context) {
    agent = context;
    if (port === undefined) return;
    if (secret === "" || answers === "") throw new Error("set WEBHOOK_SECRET and WEBHOOK_ANSWERS");
    server = Bun.serve({ hostname: "127.0.0.1", port: Number(port), maxRequestBodySize: MAX_BODY, fetch: receive });
    await context.log(`webhooks are taken at ${server.url.origin}/webhook`);
  },
  stop: () => void server?.stop(true),
} satisfies AgentModule;
