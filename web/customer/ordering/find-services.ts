import type { ServiceFamily, ServiceOption } from '../../app/api.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

export type Service = { family: ServiceFamily; option: ServiceOption };

export const idOf = ({ family, option }: Service): string => `${family.id}.${option.id}`;

export const servicesOf = (families: ServiceFamily[]): Service[] =>
  families.flatMap((family) => family.service_options.map((option) => ({ family, option })));

/** The first services of each family in turn. */
export function spreadOver(families: ServiceFamily[], most: number): Service[] {
  const longest = Math.max(0, ...families.map(({ service_options: options }) => options.length));
  const rounds = Array.from({ length: longest }, (_, at) =>
    families.flatMap((family) => family.service_options.slice(at, at + 1).map((option) => ({ family, option }))),
  );
  return rounds.flat().slice(0, most);
}

/** Words that tell no service from another. */
const empty = new Set(
  'a an and any are as at be but by can do for from get has have how i in is it its like make me my need needs new no not of on one or our please so some something that the their them they this three to two up us want was we what which will with would you your'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] => plain(text).split(' ').filter(Boolean);

/** Services that have each word, else those that have any that counts, each with its family. */
export function findServices(families: ServiceFamily[], words: string): ServiceFamily[] {
  const sought = wordsOf(words);
  const counting = sought.filter((word) => word.length > 2 && !empty.has(word));
  const keep = (isFit: (text: string) => boolean) =>
    families.flatMap((family) => {
      const service_options = family.service_options.filter(({ name, description }) =>
        isFit(plain([name, description, family.name].join(' '))),
      );
      return service_options.length > 0 ? [{ ...family, service_options }] : [];
    });
  const all = keep((text) => sought.every((word) => text.includes(word)));
  return all.length > 0 ? all : keep((text) => counting.some((word) => ` ${text}`.includes(` ${word}`)));
}

/** Compares words in any form: "labels" and "labelling" are the same. */
const isForm = (word: string, other: string): boolean =>
  word === other ||
  (Math.min(word.length, other.length) > 3 &&
    word.slice(0, Math.max(4, other.length - 3)) === other.slice(0, Math.max(4, other.length - 3)));

const excluded = /\b(?:not|no|without|instead of|rather than) (?:an? |the |any )?[\p{L}-]+/giu;
/** How much more a word of the name counts than one of the description. */
const ofName = 3;
/** What a service that fits well has at least: one rare word of a description. */
const least = 1.5;
/** A text of more words than these names a service by more than one word. */
const short = 8;
/** A second service is offered from this share of the first one's points on. */
const near = 0.6;

type Match = Service & { points: number };

/** All services, those that fit a text best first. Rare words of the catalog count more. */
export function rankServices(families: ServiceFamily[], text: string): Match[] {
  const spoken = [...new Set(wordsOf(text.replace(excluded, ' ')))].filter((word) => !empty.has(word));
  const services = servicesOf(families).map((service) => ({
    ...service,
    name: new Set(wordsOf(service.option.name)),
    description: new Set(wordsOf(service.option.description)),
  }));
  const has = (words: Set<string>, word: string) => [...words].some((other) => isForm(word, other));
  const rarity = new Map(
    spoken.map((word) => {
      const count = services.filter(({ name, description }) => has(name, word) || has(description, word)).length;
      return [word, count === 0 ? 0 : Math.log(services.length / count) + 0.1];
    }),
  );
  return services
    .map(({ family, option, name, description }): Match => {
      const hits = spoken.filter((word) => (rarity.get(word) ?? 0) > 0 && (has(name, word) || has(description, word)));
      const points = hits.reduce((sum, word) => sum + (has(name, word) ? ofName : 1) * (rarity.get(word) ?? 0), 0);
      const isNamed = hits.some((word) => has(name, word));
      return { family, option, points: isNamed || hits.length > 1 || spoken.length <= short ? points : points / 10 };
    })
    .toSorted((match, other) => other.points - match.points);
}

/** Characters that are read. */
const mostRead = 3_000;

/** The service that a text is about, a second one that fits as well, and three to choose from. */
export function serviceFor(families: ServiceFamily[], text: string) {
  const [first, second, third] = rankServices(families, text.slice(0, mostRead));
  const offers = nearest(families, [first, second, third]);
  if (!first || first.points < least) return { found: null, other: null, offers };
  return { found: first, other: second && second.points >= near * first.points ? second : null, offers };
}

/** Three services that have something of the text, else the first of three families. */
function nearest(families: ServiceFamily[], ranked: (Match | undefined)[]): Service[] {
  const some = ranked.filter((match): match is Match => match !== undefined && match.points > 0);
  const others = spreadOver(families, 6).filter(({ option }) => !some.some((match) => match.option === option));
  return [...some, ...others].slice(0, 3);
}

/** The first other service that a text names, unless it names this one, too. */
export function serviceNamedIn(families: ServiceFamily[], text: string, current: ServiceOption) {
  const words = ` ${plain(text)} `;
  const names = ({ name }: ServiceOption) => words.includes(` ${plain(name).trim()} `);
  return names(current) ? null : (servicesOf(families).find(({ option }) => names(option)) ?? null);
}
