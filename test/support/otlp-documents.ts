/** A span as a collector received it. Times are nanoseconds since 1970. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: "INTERNAL" | "CLIENT" | "OTHER";
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly schemaUrl: string | undefined;
}

/** A histogram's figures for one set of attributes. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly count: number;
  readonly sum: number;
  readonly bounds: readonly number[];
  readonly isDelta: boolean;
  readonly attributes: Attributes;
}

export type Attributes = Readonly<Record<string, unknown>>;

/** A list in a document; empty if the field is missing. */
function items(value: unknown, name: string): readonly unknown[] {
  const list = at(value, name);
  return Array.isArray(list) ? list : [];
}

const at = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

const text = (value: unknown, name: string): string => String(at(value, name) ?? "");

/** The spans of a trace document of OTLP. */
export function spansOf(document: unknown): ReceivedSpan[] {
  return items(document, "resourceSpans").flatMap((resource) =>
    items(resource, "scopeSpans").flatMap((scope) =>
      items(scope, "spans").map((span) => ({
        name: text(span, "name"),
        kind: kindOf(at(span, "kind")),
        traceId: text(span, "traceId"),
        spanId: text(span, "spanId"),
        parentSpanId: text(span, "parentSpanId") || undefined,
        start: BigInt(text(span, "startTimeUnixNano")),
        end: BigInt(text(span, "endTimeUnixNano")),
        attributes: attributesOf(span),
        isError: at(at(span, "status"), "code") === 2,
        schemaUrl: text(scope, "schemaUrl") || undefined,
      })),
    ),
  );
}

const kindOf = (kind: unknown): ReceivedSpan["kind"] => (kind === 1 ? "INTERNAL" : kind === 3 ? "CLIENT" : "OTHER");

/** The points of histograms in a metrics document of OTLP. */
export function pointsOf(document: unknown): ReceivedPoint[] {
  return items(document, "resourceMetrics").flatMap((resource) =>
    items(resource, "scopeMetrics").flatMap((scope) =>
      items(scope, "metrics").flatMap((metric) =>
        items(at(metric, "histogram"), "dataPoints").map((point) => ({
          metric: text(metric, "name"),
          unit: text(metric, "unit"),
          count: Number(at(point, "count")),
          sum: Number(at(point, "sum")),
          bounds: items(point, "explicitBounds").map(Number),
          isDelta: at(at(metric, "histogram"), "aggregationTemporality") === 1,
          attributes: attributesOf(point),
        })),
      ),
    ),
  );
}

/** The attributes of who sent a document. */
export function resourceOf(document: unknown): Attributes {
  const [resource] = [...items(document, "resourceSpans"), ...items(document, "resourceMetrics")];
  return attributesOf(at(resource, "resource"));
}

const attributesOf = (holder: unknown): Attributes =>
  Object.fromEntries(items(holder, "attributes").map((pair) => [text(pair, "key"), plainValue(at(pair, "value"))]));

function plainValue(value: unknown): unknown {
  const array = at(value, "arrayValue");
  if (array !== undefined) return items(array, "values").map(plainValue);
  const whole = at(value, "intValue");
  if (whole !== undefined) return Number(whole);
  return at(value, "stringValue") ?? at(value, "doubleValue") ?? at(value, "boolValue");
}
