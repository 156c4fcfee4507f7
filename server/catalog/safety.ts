import { Refusal } from '../kit/refusal.ts';
import type { Catalog } from './catalog.ts';
import { credentialIn } from './credential.ts';
import { findSentence, type Prose, prose } from './prose.ts';

/** Why these texts of one request cannot be accepted (`unsafe_request`); names the kind of what was found, never the text. */
export function unsafe(catalog: Catalog, texts: string[]): Refusal | null {
  for (const text of texts) {
    const kind = credentialIn(text);
    if (kind) return new Refusal('unsafe_request', { message: `The text carries ${kind}. Never send credentials.` });
    const excluded = excludedBy(catalog, prose(text));
    if (excluded)
      return new Refusal('unsafe_request', {
        message: `The request asks for ${excluded.description}, which this service does not take on.`,
      });
  }
  return null;
}

const excludedBy = ({ policy }: Catalog, text: Prose) =>
  policy.find(({ patterns, unless }) =>
    findSentence(text, patterns, (sentence) => !unless || sentence.toLowerCase().search(unless) < 0),
  );
