/** An agent.mdx that is right, with the given text as its last section. Its first line is the title; the text starts on line 7. */
export function agentText(rest: string): string {
  return `# Agent: Test\n\n## Purpose\n\nTests.\n\n${rest}`;
}

/** A whole tool with the given code, indented by nothing. Its code starts on its line 5. */
export function toolWithCode(code: string, attributes = 'name="probe" description="Probes"'): string {
  return `<Tool ${attributes}>\n  <Param name="city" />\n\n\`\`\`ts\n${code}\n\`\`\`\n\n</Tool>\n`;
}
