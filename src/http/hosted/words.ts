/** What the hosted pages say to shoppers, in the languages they have. */
import type { HostedOrder } from '../../core/hosted.ts';
import { ENGLISH } from './words/en.ts';
import { SPANISH } from './words/es.ts';
import { PORTUGUESE } from './words/pt.ts';
import type { Words } from './words/words.ts';

const LANGUAGES: Readonly<Record<string, Words>> = { en: ENGLISH, es: SPANISH, pt: PORTUGUESE };

/** The words in the shopper's language, such as `pt-BR`; English where the pages have no other. */
export function wordsFor(language: HostedOrder['language']): Words {
  const main = language?.slice(0, 2).toLowerCase() ?? 'en';
  return Object.hasOwn(LANGUAGES, main) ? LANGUAGES[main]! : ENGLISH;
}
