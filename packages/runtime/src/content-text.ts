/** The text of a message or of a result: that of its text blocks, joined. */
export function contentText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
