/** The tags of a page in their order, with the names of their attributes: what hostile text must not change. */
export function tagsOf(page: string): readonly string[] {
  const body = page.replace(/<style[\s\S]*?<\/style>/, '');
  return [...body.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([tag, name, attributes]) =>
      `${tag.startsWith('</') ? '/' : ''}${name} ${[...attributes!.matchAll(/\s([a-z-]+)(?:="[^"]*")?/gi)].map((one) => one[1]).join(' ')}`,
  );
}
