import { type LanguageModel, openModel } from "@mdx-ai/models";

type Body = Readonly<Record<string, unknown>>;

/** A server of chat completions that refuses some bodies, in words of its own. */
export interface RefusingServer extends Disposable {
  /** Of each request, in order. */
  readonly bodies: readonly Body[];
  /** What a program needs in its environment to ask it as `openai`. */
  readonly environment: Readonly<Record<string, string>>;
  open(reference?: string): Promise<LanguageModel>;
}

/** Starts a server that answers "Done." unless `refuse` gives the body of a refusal. It stops when the test's scope ends. */
export function refusingServer(refuse: (body: Body) => object | undefined, status = 400): RefusingServer {
  const bodies: Body[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body: Body = JSON.parse(await request.text());
      bodies.push(body);
      const refusal = refuse(body);
      if (refusal) return Response.json(refusal, { status });
      return Response.json({ choices: [{ message: { content: "Done." }, finish_reason: "stop" }] });
    },
  });
  return {
    bodies,
    environment: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.url.href },
    open: (reference = "openai/m") => openModel(reference, { environment: {}, apiKey: "k", baseUrl: server.url.href }),
    [Symbol.dispose]: () => void server.stop(true),
  };
}
