/** What the journal keeps of a finished revision: its document, what backs it, and the hashes of the files written. */
import type { BatchDocument, Evidence, ReportPaths } from '../report/document.ts';

export interface StoredRevision {
  readonly document: BatchDocument;
  readonly evidence: Evidence;
  /** SHA-256 of each report as it was written first; null for those that had no line. */
  readonly hashes: ReportPaths;
}

/** One JSON text, in which the document's own members stand at the top. */
export function packRevision({ document, evidence, hashes }: StoredRevision): string {
  return JSON.stringify({ ...document, evidence, hashes });
}

export function unpackRevision(packed: string): StoredRevision {
  const { evidence, hashes, ...document } = JSON.parse(packed) as BatchDocument &
    Omit<StoredRevision, 'document'>;
  return { document, evidence, hashes };
}
