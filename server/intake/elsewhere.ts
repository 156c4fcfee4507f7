import type { Catalog, Family } from '../catalog/catalog.ts';
import { optionNamed } from './option.ts';

const wanting =
  /\b(?:need|want|looking for|would like|'d like|like to (?:have|order|get)|order|do|make|create|design|write|build|offer|get|(?:can|could|do|would|will) you) (?:\p{L}{2,12} ){0,2}\p{L}/iu;

/** What another family offers and a customer of this one asks for; null where it is not clear which. */
export function elsewhere(families: Catalog['families'], here: Family, message: string): string | null {
  const few = message.split(/\s+/u).length <= 4;
  if (message.length > 200 || optionNamed(here, message) || !(few || wanting.test(message))) return null;
  const found = [...families.values()].flatMap((family) => {
    const option = family.id === here.id ? null : optionNamed(family, message, few ? 1 : undefined);
    return option ? [{ family, option }] : [];
  });
  const [only] = found;
  if (!only || found.length > 1) return null;
  const { family, option } = only;
  return `That sounds like ${option.name}, which ${family.name} does; here it is ${here.name}. For that, open a conversation with service_family “${family.id}”.`;
}
