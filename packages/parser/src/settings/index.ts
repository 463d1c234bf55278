export { settingsSchema } from "./settings-schema.ts";
export { userSettingsSchema } from "./user-settings-schema.ts";
