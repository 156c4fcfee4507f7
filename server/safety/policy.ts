import { Refusal } from '../http/refusal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { credentialIn } from './secret-scanner.ts';
import { findSentence, type Prose, prose } from '../requirements/prose.ts';

/**
 * Why these texts of one request, each by its place in it, cannot be accepted (`unsafe_request`); names the place and the
 * kind of what was found, never the text.
 */
export function unsafe(catalog: Catalog, texts: [location: string, text: string][]): Refusal | null {
  for (const [location, text] of texts) {
    const kind = credentialIn(text);
    if (kind) return refusal(location, `carries ${kind}`, `The text carries ${kind}. Never send credentials.`);
    const excluded = excludedBy(catalog, prose(text))?.description;
    if (excluded !== undefined)
      return refusal(
        location,
        `asks for ${excluded}`,
        `The request asks for ${excluded}, which this service does not take on.`,
      );
  }
  return null;
}

const refusal = (location: string, found: string, message: string) =>
  new Refusal('unsafe_request', { message, details: [{ location, message: found }] });

const excludedBy = ({ policy }: Catalog, text: Prose) =>
  policy.find(({ patterns, unless }) =>
    findSentence(text, patterns, (sentence) => !unless || sentence.toLowerCase().search(unless) < 0),
  );
