import type { ServiceFamily, ServiceOption } from '../../app/api.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

/** Services that have each word in their name, their description or the name of their family. */
export function findServices(families: ServiceFamily[], words: string): ServiceFamily[] {
  const sought = plain(words).split(' ').filter(Boolean);
  const has = (...texts: string[]) => sought.every((word) => plain(texts.join(' ')).includes(word));
  return families.flatMap((family) => {
    const service_options = family.service_options.filter(({ name, description }) =>
      has(name, description, family.name),
    );
    return service_options.length > 0 ? [{ ...family, service_options }] : [];
  });
}

/** The first other service that a text names, unless it names this one, too. */
export function serviceNamedIn(families: ServiceFamily[], text: string, current: ServiceOption) {
  const words = ` ${plain(text)} `;
  const names = ({ name }: ServiceOption) => words.includes(` ${plain(name).trim()} `);
  if (names(current)) return null;
  const services = families.flatMap((family) => family.service_options.map((option) => ({ family, option })));
  return services.find(({ option }) => names(option)) ?? null;
}
