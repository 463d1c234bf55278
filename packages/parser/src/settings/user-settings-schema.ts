import type { JsonSchema } from "../types/json.ts";
import { permissionsSchema } from "./permissions-schema.ts";
import { userSandboxSchema } from "./sandbox-schema.ts";

/** The JSON Schema of the user's own settings file, for editors and for `readUserSettings`. */
export const userSettingsSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "settings of a user",
  description: "What a user allows all agents: settings.yaml in the folder `mdx-ai` of the user's configuration.",
  type: "object",
  additionalProperties: false,
  properties: { permissions: permissionsSchema, sandbox: userSandboxSchema },
};
