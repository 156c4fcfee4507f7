import { bare } from '../requirements/answer.ts';
import type { Catalog, Family, Option } from '../catalog/catalog.ts';
import { small } from '../requirements/prose.ts';
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

/** "It's a landing page", and nothing else. A bare "landing page" may as well be the answer to where a logo is used. */
const wanting = /^(?:it(?:['’]s| is)|this is|what (?:i|we) need is|(?:i|we)(?: really)? (?:need|want)) /iu;

/** The option that a sentence asks for. Once there is one, another is meant only where the customer corrects. */
export function optionHeard(family: Family, talk: Talk, { core, corrects }: Said): string | null {
  if (talk.service_type === null)
    return (talk.asked && 'option' in talk.asked ? optionChosen(family, core) : optionIn(family, core))?.id ?? null;
  const wanted = wanting.test(core) ? family.options.find(({ id }) => onlyNames(family, id, core)) : undefined;
  if (wanted && wanted.id !== talk.service_type) return wanted.id;
  if (!(corrects || changes.test(core)) || !wantsOption(core)) return null;
  const option = optionNamed(family, core);
  return option && option.id !== talk.service_type ? option.id : null;
}

const around = new Set(
  "a an the i we it it's is that that's this want need would like i'd please just only one for me us my our yes yeah then well obviously clearly definitely really sounds looks right good great perfect fine new some of course said told already you".split(
    ' ',
  ),
);

const wordsOf = (text: string) =>
  small(bare(text))
    .replaceAll('’', "'")
    .split(/[^\p{L}\p{N}']+/u)
    .filter(Boolean);

/** Whether a text has the words of an option's name, or some of them, and besides only small words. */
function consistsOf(option: Option | undefined, text: string, partly: boolean): boolean {
  if (!option || text.length > 80) return false;
  const words = new Set(wordsOf(text).filter((word) => !around.has(word)));
  if (words.size === 0) return false;
  const own = wordsOf(`${option.name} ${option.id.replaceAll('_', ' ')}`);
  const least = partly ? 1 : wordsOf(option.name).length;
  return (
    words.size >= least &&
    [...words].every((word) => own.some((one) => (word.length > 3 ? one.startsWith(word) : one === word)))
  );
}

/**
 * The name of an option and nothing else: "a logo, please", "logo", "2", "website copy sounds right". The job says it, so
 * the brief need not. `partly`: a part of the name will do, as right after it was chosen: "cleaning" for "Data cleaning".
 */
export function onlyNames(family: Family, optionId: string | null, core: string, partly = false): boolean {
  if (
    consistsOf(
      family.options.find(({ id }) => id === optionId),
      core,
      partly,
    )
  )
    return true;
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

const asksFor =
  /\b(?:need|want|looking for|would like|'d like|like to (?:have|order|get)|order|do|make|create|design|write|build|offer|get|(?:can|could|do|would|will) you) (?:\p{L}{2,12} ){0,2}\p{L}/iu;

/** What another family offers and a customer of this one asks for; null where it is not clear which. */
export function elsewhere(families: Catalog['families'], here: Family, message: string): string | null {
  const few = message.split(/\s+/u).length <= 4;
  if (message.length > 200 || optionNamed(here, message) || !(few || asksFor.test(message))) return null;
  const found = [...families.values()].flatMap((family) => {
    const option = family.id === here.id ? null : optionNamed(family, message, few ? 1 : undefined);
    return option ? [{ family, option }] : [];
  });
  const [only] = found;
  if (!only || found.length > 1) return null;
  const { family, option } = only;
  return `That sounds like ${option.name}, which ${family.name} does; here it is ${here.name}. For that, open a conversation with service_family “${family.id}”.`;
}
