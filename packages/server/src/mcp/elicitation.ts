import { isJsonObject, type JsonObject, recordOf } from "@mdx-ai/base";
import { plainText } from "@mdx-ai/directory/text";
import type { AnswerWords, Question } from "@mdx-ai/loop";
import { offeredWords } from "@mdx-ai/sessions";
import {
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
  isSpecType,
} from "@modelcontextprotocol/server";
import { questionText } from "../questions/question-text.ts";

type FormSchema = ElicitRequestFormParams["requestedSchema"];

/** The request for the user of the client; undefined if the client cannot show the question. */
export function elicitationOf(question: Question, capabilities?: ClientCapabilities): InputRequest | undefined {
  const { elicitation } = capabilities ?? {};
  if (elicitation === undefined) return undefined;
  const { url } = elicitation;
  // A client that names neither shows forms.
  const form = elicitation.form ?? (url === undefined ? {} : undefined);
  switch (question.kind) {
    case "approval":
    case "budget":
      return form && inputRequired.elicit({ mode: "form", ...wordForm(question) });
    case "sign_in":
      return url && inputRequired.elicitUrl({ url: question.url, message: questionText(question) });
    case "elicitation": {
      const { request, server } = question;
      const message = plainText(`${server}: ${request.message}`);
      if (request.type === "url") return url && inputRequired.elicitUrl({ url: request.url, message });
      return form && foreignForm(message, request.schema);
    }
  }
}

function wordForm(question: Extract<Question, { kind: "approval" | "budget" }>) {
  const message = questionText(question);
  const words = [...offeredWords(question)];
  const requestedSchema: FormSchema = {
    type: "object",
    properties: { answer: { type: "string", title: "Answer", enum: words } },
    required: ["answer"],
  };
  return { message, requestedSchema };
}

/** The form of another server, if this protocol knows all of its fields. */
function foreignForm(message: string, requestedSchema: JsonObject): InputRequest | undefined {
  const params = { mode: "form", message, requestedSchema };
  return isSpecType.ElicitRequestFormParams(params) ? inputRequired.elicit(params) : undefined;
}

/** The answer that a client's response is; undefined if it comes later, as after a sign-in. */
export function wordsOf(response: unknown, question: Question): AnswerWords | undefined {
  const { action, content } = recordOf(response);
  if (action !== "accept") return "no";
  switch (question.kind) {
    case "budget":
    case "approval": {
      const { answer } = recordOf(content);
      return typeof answer === "string" ? answer : "no";
    }
    case "sign_in":
      return undefined;
    case "elicitation":
      return isJsonObject(content) && question.request.type === "form" ? content : "yes";
  }
}
