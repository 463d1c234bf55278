/** Asks the model that MODEL names once and prints how it ended and by how many MiB the memory grew at most. */

import { openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest } from "./model-request.ts";

const model = await openModel(process.env["MODEL"], { environment: process.env });
// The SDK is loaded by the first request; what it takes is no part of an answer.
await eventsOf(model, modelRequest("Hi"));

const before = process.memoryUsage.rss();
let peak = before;
const look = (): void => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const timer = setInterval(look, 5);
const request = modelRequest("Hi", { stream: process.env["STREAM"] !== "false" });
let end = "";
for await (const event of model.stream(request, new AbortController().signal)) {
  if (event.type === "done" || event.type === "error") end = endOf([event]).message.errorMessage ?? "";
}
clearInterval(timer);
look();
console.log(JSON.stringify({ end, growth: (peak - before) / 2 ** 20 }));
