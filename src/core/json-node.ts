/** JSON values kept as they were written, back to text. */
import { type JsonNode, JsonNumber, JsonObject } from './row.ts';

/** Compact JSON: members in their order, numbers with the digits they came with. */
export function writeJson(node: JsonNode): string {
  if (node === null || typeof node === 'boolean') return String(node);
  if (typeof node === 'string') return JSON.stringify(node);
  if (node instanceof JsonNumber) return node.text;
  if (node instanceof JsonObject) {
    return `{${node.members.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(',')}}`;
  }
  return `[${node.map(writeJson).join(',')}]`;
}
