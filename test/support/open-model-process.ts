// Asks a model "Hello" and prints the message: `bun open-model-process.ts REFERENCE FOLDER`.
import { openModel } from "@mdx-ai/models";
import { endOf, eventsOf } from "./model-request.ts";

const [reference, folder = ""] = process.argv.slice(2);
try {
  const model = await openModel(reference, { environment: process.env, packageFolders: [folder] });
  console.log(JSON.stringify(endOf(await eventsOf(model)).message));
} catch (error) {
  console.log(JSON.stringify(error instanceof Error ? { name: error.name, message: error.message } : {}));
}
