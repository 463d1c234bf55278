import { type LanguageModel, type ModelRequest, openModel } from "@mdx-ai/models";

/** A server of any protocol that keeps what it is asked, and refuses it. */
export interface BodyRecorder extends Disposable {
  readonly url: string;
  /** Opens a model whose requests are kept. */
  open(reference: string): Promise<LanguageModel>;
  /** The text of a request's body. */
  body(model: LanguageModel, request: ModelRequest): Promise<string>;
}

/** Starts a recorder; it stops when the test's scope ends. */
export function bodyRecorder(): BodyRecorder {
  let last = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      last = await request.text();
      return Response.json({ error: { message: "recorded" } }, { status: 400 });
    },
  });
  const settings = { environment: {}, apiKey: "k", baseUrl: server.url.href };
  return {
    url: settings.baseUrl,
    open: (reference) => openModel(reference, settings),
    async body(model, request) {
      await Array.fromAsync(model.stream(request, new AbortController().signal));
      return last;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
