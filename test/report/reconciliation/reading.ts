/** The page as its readers see it. */
import type { ReconciliationDocument } from '../../../src/report/reconciliation/document.ts';
import { reconciliationHtml } from '../../../src/report/reconciliation/html.ts';
import { withBreaks } from './documents.ts';

/** What a reader sees: without tags and style, spaces as one. */
export function words(page: string): string {
  return page
    .replace(/<style>.*?<\/style>|<svg.*?<\/svg>/gs, '')
    .replace(/<(?!\/?(?:bdi|strong|code|span))[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

/** The words of `withBreaks`, changed. */
export async function read(change: Partial<ReconciliationDocument>): Promise<string> {
  return words(await reconciliationHtml({ ...withBreaks, ...change }));
}
