import type { ProtobufField, ProtobufSchema } from "./protobuf.ts";

const one = (name: string, type: string): ProtobufField => ({ name, type });
const many = (name: string, type: string): ProtobufField => ({ name, type, isRepeated: true });

/** The parts of OTLP's messages that an agent sends; see github.com/open-telemetry/opentelemetry-proto. */
export const OTLP_SCHEMA: ProtobufSchema = {
  TraceRequest: { 1: many("resourceSpans", "ResourceSpans") },
  ResourceSpans: { 1: one("resource", "Resource"), 2: many("scopeSpans", "ScopeSpans"), 3: one("schemaUrl", "string") },
  ScopeSpans: { 1: one("scope", "Scope"), 2: many("spans", "Span"), 3: one("schemaUrl", "string") },
  Span: {
    1: one("traceId", "bytes"),
    2: one("spanId", "bytes"),
    3: one("traceState", "string"),
    4: one("parentSpanId", "bytes"),
    5: one("name", "string"),
    6: one("kind", "enum"),
    7: one("startTimeUnixNano", "fixed64"),
    8: one("endTimeUnixNano", "fixed64"),
    9: many("attributes", "KeyValue"),
    10: one("droppedAttributesCount", "uint32"),
    12: one("droppedEventsCount", "uint32"),
    14: one("droppedLinksCount", "uint32"),
    15: one("status", "Status"),
    16: one("flags", "fixed32"),
  },
  Status: { 2: one("message", "string"), 3: one("code", "enum") },
  MetricsRequest: { 1: many("resourceMetrics", "ResourceMetrics") },
  ResourceMetrics: {
    1: one("resource", "Resource"),
    2: many("scopeMetrics", "ScopeMetrics"),
    3: one("schemaUrl", "string"),
  },
  ScopeMetrics: { 1: one("scope", "Scope"), 2: many("metrics", "Metric"), 3: one("schemaUrl", "string") },
  Metric: {
    1: one("name", "string"),
    2: one("description", "string"),
    3: one("unit", "string"),
    9: one("histogram", "Histogram"),
  },
  Histogram: { 1: many("dataPoints", "Point"), 2: one("aggregationTemporality", "enum") },
  Point: {
    2: one("startTimeUnixNano", "fixed64"),
    3: one("timeUnixNano", "fixed64"),
    4: one("count", "fixed64"),
    5: one("sum", "double"),
    6: many("bucketCounts", "fixed64"),
    7: many("explicitBounds", "double"),
    9: many("attributes", "KeyValue"),
    10: one("flags", "uint32"),
    11: one("min", "double"),
    12: one("max", "double"),
  },
  Resource: { 1: many("attributes", "KeyValue"), 2: one("droppedAttributesCount", "uint32") },
  Scope: { 1: one("name", "string"), 2: one("version", "string"), 4: one("droppedAttributesCount", "uint32") },
  KeyValue: { 1: one("key", "string"), 2: one("value", "AnyValue") },
  AnyValue: {
    1: one("stringValue", "string"),
    2: one("boolValue", "bool"),
    3: one("intValue", "int64"),
    4: one("doubleValue", "double"),
    5: one("arrayValue", "ArrayValue"),
  },
  ArrayValue: { 1: many("values", "AnyValue") },
};
