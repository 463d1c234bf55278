import { isRecord, shortened, visibleText } from "@mdx-ai/base";
import { type Parts, withoutNulls } from "./without-nulls.ts";

/** The content of an answer in the form of the protocol. Parts that the protocol does not have become texts. */
export function contentParts(content: unknown): readonly Parts[] {
  if (content === undefined || content === null) return [];
  return (Array.isArray(content) ? content : [content]).filter((part) => part !== null).map(contentPart);
}

function contentPart(part: unknown): Parts {
  if (!isRecord(part)) return textPart(typeof part === "string" ? part : JSON.stringify(part));
  const present = withoutNulls(part);
  switch (typeOf(present)) {
    case "text":
      return textPart(textOf(present["text"]));
    case "image":
      return mediaPart("image", present);
    case "audio":
      return mediaPart("audio", present);
    case "resource":
      return { type: "resource", resource: resourceContents(present["resource"]) };
    case "resource_link":
      return linkPart(present);
    default:
      return unknownPart(present);
  }
}

/** The type of a part, inferred if the server omits it. */
function typeOf(part: Parts): unknown {
  const { type, text, data, mimeType, resource } = part;
  if (type === "resource" && !isRecord(resource)) return undefined;
  if (typeof type === "string") return type;
  if (typeof text === "string") return "text";
  if (isRecord(resource)) return "resource";
  if (typeof data === "string" && typeof mimeType === "string") return mimeType.split("/")[0];
  return undefined;
}

const textPart = (text: string): Parts => ({ type: "text", text });

const textOf = (text: unknown): string => {
  if (text === undefined || text === null) return "";
  return typeof text === "string" ? text : JSON.stringify(text);
};

function unknownPart(part: Parts): Parts {
  const { type, text } = part;
  if (typeof text === "string") return textPart(text);
  const title =
    typeof type === "string" ? `Content of the unknown type ${visibleText(shortened(type, 100))}` : "Content";
  return textPart(`[${title}] ${JSON.stringify(part)}`);
}

function linkPart({ uri, name, description, mimeType }: Parts): Parts {
  const address = textOf(uri);
  const title = textOf(name);
  return { type: "resource_link", uri: address, name: title || address, ...texts({ description, mimeType }) };
}

/** The members that are texts. */
export const texts = (members: Parts): Parts =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => typeof value === "string"));

/** The contents of a resource: text or base64. */
export function resourceContents(contents: unknown): Parts {
  if (!isRecord(contents)) return { uri: "", text: textOf(contents) };
  const { uri, text, blob, mimeType } = withoutNulls(contents);
  const { mimeType: named } = texts({ mimeType });
  const base = { uri: textOf(uri), ...(named !== undefined && { mimeType: named }) };
  if (typeof blob !== "string" || text !== undefined) return { ...base, text: textOf(text ?? blob) };
  const { data, type } = base64Of(blob);
  if (data === undefined) return { ...base, text: `[The contents cannot be read: they are not in base64]` };
  return { ...base, blob: data, mimeType: named ?? type ?? typeOfBytes(data) ?? "application/octet-stream" };
}

function mediaPart(kind: "image" | "audio", part: Parts): Parts {
  const { data, type } = base64Of(part["data"]);
  const title = kind === "image" ? "An image" : "Audio";
  if (data === undefined) return textPart(`[${title} was left out: its data is not in base64]`);
  const { mimeType = type ?? typeOfBytes(data) ?? `${kind}/unknown` } = texts({ mimeType: part["mimeType"] });
  return { type: kind, data, mimeType };
}

const DATA_URL = /^data:([^;,]*)[^,]*;base64,/i;

/** Normalizes base64 from a data URL, from several lines or from the URL-safe alphabet. No `data` if it is invalid. */
function base64Of(value: unknown): { readonly data?: string; readonly type?: string } {
  if (typeof value !== "string") return {};
  const head = DATA_URL.exec(value.slice(0, 1_000));
  const type = head?.[1] ? { type: head[1] } : {};
  const body = value.slice(head?.[0].length ?? 0);
  const data = /[\s_-]/.test(body) ? body.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/") : body;
  try {
    atob(data);
    return { ...type, data };
  } catch {
    return {};
  }
}

/** How base64 of each image type that models accept begins. */
const BEGINNINGS: readonly (readonly [beginning: string, type: string])[] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

const typeOfBytes = (base64: string): string | undefined =>
  BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1];
