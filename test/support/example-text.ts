/** A tool of one required city and an optional month, with the given examples below its code. Its code starts on its line 6; the first example on its line 9. */
export function toolWithExamples(...examples: readonly string[]): string {
  const code = "async function execute({ city, month }) {\n  return [city, month ?? 0].join(' ');\n}";
  return `<Tool name="probe" description="Probes">\n  <Param name="city" />\n  <Param name="month" type="number" required="false" />\n\n\`\`\`ts\n${code}\n\`\`\`\n${examples.join("\n")}\n</Tool>\n`;
}

/** An `<Example>` with this JSON, which starts on its line 3. */
export function exampleText(json: string, attributes = ""): string {
  return `<Example${attributes}>\n\`\`\`json\n${json}\n\`\`\`\n</Example>\n`;
}
