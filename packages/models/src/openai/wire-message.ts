export interface WireText {
  readonly type: "text";
  readonly text: string;
}

export interface WireImage {
  readonly type: "image_url";
  /** A data URL. */
  readonly image_url: { readonly url: string };
}

export type WireContent = string | readonly (WireText | WireImage)[];

export interface WireCall {
  readonly id: string;
  readonly type: "function";
  /** The arguments are the text of a JSON object. */
  readonly function: { readonly name: string; readonly arguments: string };
  /** What Gemini wants back as it came. */
  readonly extra_content?: unknown;
}

export interface WireAssistant {
  readonly role: "assistant";
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly unknown[];
  readonly tool_calls?: readonly WireCall[];
}

export type WireMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: WireContent }
  | WireAssistant
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: WireContent };

export interface WireTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}
