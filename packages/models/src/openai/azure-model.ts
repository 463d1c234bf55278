import type { Connection } from "../http/connection.ts";
import type { LanguageModel } from "../types/language-model.ts";
import { chatModel } from "./chat-model.ts";
import { azureDialect } from "./dialects.ts";

/**
 * A model that Azure serves as the deployment `name`, asked in the given version of its interface (a date, such as
 * 2024-02-01). The SDK is loaded by the first request.
 */
export function openAzureModel(name: string, connection: Connection, apiVersion: string): LanguageModel {
  const deployment = { name, apiVersion, connection };
  return chatModel({
    name,
    connection,
    dialect: azureDialect(apiVersion),
    send: async (body, sending) => (await import("./azure-client.ts")).send(deployment, body, sending),
  });
}
