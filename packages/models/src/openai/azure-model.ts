import type { Connection } from "../http/connection.ts";
import { addressBelow } from "../http/post.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { chatModel } from "./chat-model.ts";
import { azureDialect } from "./dialects.ts";

/** A model that Azure serves as the deployment `name`, asked in the given version of its interface (a date, such as 2024-02-01). */
export function openAzureModel(name: string, connection: Connection, apiVersion: string): LanguageModel {
  // People copy the endpoint with this end and without.
  const server = connection.baseUrl.replace(/\/openai\/*(?=[?#]|$)/, "");
  const path = `/openai/deployments/${encodeURIComponent(name)}/chat/completions`;
  return chatModel({
    name,
    connection,
    dialect: azureDialect(apiVersion),
    endpoint: {
      url: addressBelow(server, path, { "api-version": apiVersion }),
      headers: { "api-key": connection.key },
    },
  });
}
