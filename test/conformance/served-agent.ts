/** Tools that the suite calls, as an agent's author writes them. */
export const CONFORMANCE_AGENT = `# Agent: Tested

## Purpose

Serve the tools that the suite calls.

<Tool name="test_simple_text" description="Say something">

\`\`\`ts
async function execute() {
  return "This is a simple text response for testing.";
}
\`\`\`

</Tool>

<Tool name="test_image_content" description="Show a pixel">

\`\`\`ts
async function execute() {
  const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  return { content: [{ type: "image", data, mimeType: "image/png" }] };
}
\`\`\`

</Tool>

<Tool name="test_error_handling" description="Fail">

\`\`\`ts
async function execute() {
  throw new Error("This tool intentionally returns an error for testing");
}
\`\`\`

</Tool>
`;
