/** What OpenAI's models refuse over both interfaces, as their pages say. */

/** Models that cannot stop thinking: all before GPT-5.1, and of later ones these. */
const alwaysThinking = /^(?:o\d|gpt-5(?:-|$)|gpt-6-astra|gpt-6\.1-sol|gpt-6\.[2-9])|-pro|-cyber/;

/** Models that take a temperature only if they do not think, and those before them that always think. */
const noTemperature = /^(?:o\d|gpt-5(?:-(?!chat)|$)|gpt-5\.[5-9]|gpt-[6-9])/;

interface Asked {
  readonly model: unknown;
  readonly effort: unknown;
  readonly temperature: unknown;
}

/** Why the server would refuse an effort or a temperature; nothing where it would not. */
export function* modelRefusals({ model, effort, temperature }: Asked): Generator<string> {
  const name = String(model).replace(/^ft:/, "");
  if (effort === "none" && alwaysThinking.test(name))
    yield `Unsupported value: 'none' is not supported with the '${name}' model.`;
  if (temperature === undefined) return;
  if (!(Number(temperature) >= 0 && Number(temperature) <= 2)) yield "temperature: 0..2";
  if (noTemperature.test(name) && effort !== "none")
    yield "Unsupported parameter: 'temperature' is not supported with this model.";
}
