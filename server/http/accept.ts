/** The values of an `Accept…` header with their weights: `br;q=0.5, gzip` is br 0.5 and gzip 1. */
export const weightsOf = (header: string | string[] = ''): Map<string, number> =>
  new Map([header].flat().join(',').split(',').map(readValue));

function readValue(value: string): [name: string, weight: number] {
  const [name = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}

/** Whether a reader asks for Markdown, and at least as much as for a page. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const weights = weightsOf(accept);
  const markdown = weights.get('text/markdown') ?? 0;
  return markdown > 0 && markdown >= (weights.get('text/html') ?? 0);
}
