/** What servers say of a request that is longer than the model's window, each in its own words. */
const complaints = [
  "context.length.exceeded",
  "exceeds?_context_size",
  "prompt (?:is )?too long",
  "input is too long",
  "exceed(?:s|ed)? (?:the )?(?:model'?s )?(?:available |maximum |max )?context",
  "maximum context length",
  "context window",
  "context length of only",
  "greater than the context length",
  "longer than the model'?s context",
  "token count .*exceeds the maximum",
  "maximum prompt length is",
  "reduce the length of the messages",
];

const overflow = new RegExp(complaints.join("|"), "i");

/** A limit on how fast one may ask speaks of tokens, too. */
const pace = /rate.?limit|too many requests|per minute/i;

/** Whether a failure's text says that the request does not fit the model's context. */
export const saysOverflow = (text: string): boolean => overflow.test(text) && !pace.test(text);
