import { type AssistantMessage, openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "./model-request.ts";

/** How a request ends that a server of OpenAI's protocol refuses with a status and a text, asked with this key. */
export async function refusedRequest(
  text: string,
  { status = 400, key = "k" }: { readonly status?: number; readonly key?: string } = {},
): Promise<AssistantMessage> {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(text, { status }) });
  const model = await openModel("openai/m", { environment: {}, apiKey: key, baseUrl: server.url.href });
  return endOf(await eventsOf(model)).message;
}

/** What the user is shown of the server's text. */
export async function shownOf(text: string, key?: string): Promise<string> {
  const { errorMessage = "" } = await refusedRequest(text, { status: 422, ...(key !== undefined && { key }) });
  return errorMessage.replace("openai answered 422: ", "");
}
