/** What a file is made of, whatever its format: the seam between reading files, executing them and reporting on them. */
import type { Reason } from './code.ts';

/** A JSON value kept as it was written: numbers keep their text, members their order. */
export type JsonNode = string | boolean | null | JsonNumber | JsonObject | readonly JsonNode[];

export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class JsonObject {
  readonly members: readonly (readonly [key: string, value: JsonNode])[];
  constructor(members: readonly (readonly [string, JsonNode])[]) {
    this.members = members;
  }
  get(key: string): JsonNode | undefined {
    return this.members.find(([name]) => name === key)?.[1];
  }
}

/** How a file was read, known before its first row. */
export type FileShape = CsvShape | JsonShape | InitiationShape;

export interface CsvShape {
  readonly format: 'csv';
  /** Label of the encoding, for example `utf-8`, `utf-16le`, `windows-1252`. */
  readonly encoding: string;
  readonly delimiter: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** Column names as they stand in the file; empty for an empty file. */
  readonly header: readonly string[];
  /** The same, trimmed and in lower case. */
  readonly columns: readonly string[];
}

export interface JsonShape {
  readonly format: 'json';
  readonly encoding: string;
  /** `envelope`: the API's own message; `object`: one payout. */
  readonly form: 'envelope' | 'array' | 'ndjson' | 'object';
  /** Name of the list in an envelope, such as `refund_orders`. */
  readonly list: string | undefined;
  /** The envelope's other members, in order. */
  readonly envelope: JsonObject | undefined;
}

/** A payment initiation, pain.001 of ISO 20022: each of its credit transfers is one line of payouts. */
export interface InitiationShape {
  readonly format: 'pain001';
  readonly encoding: string;
  /** What its sender calls it, and its kind with the version, such as `pain.001.001.09`: an answer names both. */
  readonly messageId: string;
  readonly messageName: string;
  /** The CSV file of payouts as which its lines are read and reported. */
  readonly table: CsvShape;
}

/** The table whose columns the cells of rows stand under; undefined for JSON, whose rows are entries. */
export function tableOf(shape: CsvShape | InitiationShape): CsvShape;
export function tableOf(shape: FileShape): CsvShape | undefined;
export function tableOf(shape: FileShape): CsvShape | undefined {
  if (shape.format === 'json') return undefined;
  return shape.format === 'csv' ? shape : shape.table;
}

/** One record of a file. */
export interface Row {
  /** Its first physical line, counted from 1; in a JSON array, an envelope or a pain.001 the number of the entry or transfer. */
  readonly line: number;
  /** The filled known fields by (dotted) name. A blank cell is an absent field. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is wrong with the record as a record: its length, a number where text is due. */
  readonly faults: readonly Reason[];
  /** CSV: the cells as written. pain.001: what they would be in its table. JSON: empty. */
  readonly cells: readonly string[];
  /** JSON: the entry as written. */
  readonly entry: JsonObject | undefined;
}
