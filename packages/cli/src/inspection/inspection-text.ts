import { plainLine, plainText } from "@mdx-ai/directory/text";
import { counted } from "../output/figures.ts";
import type { Paint } from "../output/paint.ts";
import type { ExampleCount, Inspection, TextSize } from "./inspection.ts";

/** An inspection for people. */
export function inspectionText({ system, tools, examples, sizes }: Inspection, paint: Paint): string {
  const heading = (title: string, size: TextSize): string =>
    `${paint("bold", title)} ${paint("dim", `(${sizeText(size)})`)}\n\n`;
  const toolTexts = tools.map(
    ({ name, description, parameters }) =>
      `${paint("bold", plainLine(name))}  ${plainText(description)}\n${indented(JSON.stringify(parameters, undefined, 2))}\n` +
      paint("dim", examplesLine(examples.find(({ tool }) => tool === name))),
  );
  return [
    `${heading("System prompt", sizes.system)}${indented(system)}\n`,
    `\n${heading(`Tools: ${tools.length}`, sizes.tools)}${toolTexts.join("\n")}`,
    `\n${paint("bold", "Together")} ${sizeText(sizes.total)} before the first message\n`,
  ].join("");
}

function examplesLine(count: ExampleCount | undefined): string {
  if (count === undefined) return "";
  const { total, fewShot } = count;
  const shown = fewShot === 0 ? "the model sees none" : `the model sees ${fewShot === total ? "all" : fewShot}`;
  return `  ${counted(total, "example")}; ${shown}\n`;
}

const sizeText = ({ characters, tokens }: TextSize): string =>
  `${characters.toLocaleString("en")} characters, about ${tokens.toLocaleString("en")} tokens`;

const indented = (text: string): string =>
  plainText(text)
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
