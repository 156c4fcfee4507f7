import { bare } from '../catalog/answer.ts';
import type { Family } from '../catalog/catalog.ts';
import { small } from '../catalog/prose.ts';
import { optionChosen, optionIn, optionNamed } from './option.ts';
import type { Said } from './phrases.ts';
import type { Talk } from './talk.ts';

/** "an option", "to an option" or little else: not "the logo is blue" in a talk about a landing page. */
const wantsOption = (core: string): boolean =>
  core.split(' ').length <= 4
    ? !/\b(?:is|are|should|must|on|in)\b/iu.test(core)
    : /\b(?:an?|to|into|want|need|take|order) /iu.test(core) ||
      (/\b(?:make it|instead|after all)\b/iu.test(core) && !/\b(?:is|are|should|must)\b/iu.test(core));

const changes = /\b(?:change|switch|rather|changed my mind|make it)\b/iu;

/** The option that a sentence asks for. Once there is one, another is meant only where the customer corrects. */
export function optionHeard(family: Family, talk: Talk, { core, corrects }: Said): string | null {
  if (talk.service_type === null)
    return (talk.asked && 'option' in talk.asked ? optionChosen(family, core) : optionIn(family, core))?.id ?? null;
  if (!(corrects || changes.test(core)) || !wantsOption(core)) return null;
  const option = optionNamed(family, core);
  return option && option.id !== talk.service_type ? option.id : null;
}

/** The name of an option and nothing else: "a logo, please", "logo", "2". The job says it, so the brief need not. */
export function onlyNames(family: Family, optionId: string | null, core: string): boolean {
  const said = small(bare(core)).replace(/^(?:an?|the|just|one) |,? (?:please|then)$/gu, '');
  const names = family.options.flatMap(({ id, name }) =>
    id === optionId ? [id, id.replaceAll('_', ' '), small(name)] : [],
  );
  return (
    names.includes(said) ||
    (optionId !== null &&
      /^(?:the )?(?:option |number )?(?:\d{1,2}|\p{L}{5,6}(?: one| option))$/u.test(said) &&
      optionChosen(family, core)?.id === optionId)
  );
}

/** "We are a bakery and need a logo" tells what is wanted, and does not answer a question. */
export const wantsChosen = (family: Family, talk: Talk, core: string): boolean =>
  /\b(?:need|want|would like|'d like|looking for|order) (?:an?|some|new) /iu.test(core) &&
  talk.service_type !== null &&
  optionNamed(family, core)?.id === talk.service_type;
