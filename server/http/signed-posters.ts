import type { TSchema } from 'typebox';
import type { Endpoint } from '../../contract/endpoint.ts';

/** The steps from a body to a file: names of fields, and `*` for each item of a list. */
type Place = readonly string[];
type Part = { properties?: Record<string, Part>; items?: Part; anyOf?: Part[] };

function placesIn({ properties = {}, items, anyOf = [] }: Part, place: Place): Place[] {
  return [
    ...('poster' in properties ? [place] : []),
    ...Object.entries(properties).flatMap(([name, part]) => placesIn(part, [...place, name])),
    ...(items ? placesIn(items, [...place, '*']) : []),
    ...anyOf.flatMap((part) => placesIn(part, place)),
  ];
}

/** Where the answers of an endpoint may have a `poster`. For most endpoints: nowhere. */
export function posterPlaces({ answers }: Endpoint): Place[] {
  const schemas = Object.values(answers).flatMap(({ schema, preferred }) => [schema ?? [], preferred ?? []].flat());
  const places = schemas.flatMap((schema: TSchema) => placesIn(schema as Part, []));
  return [...new Map(places.map((place) => [place.join('.'), place])).values()];
}

/**
 * Replaces the keys of posters in a body by signed URLs. Verbs answer keys, so that a stored answer has no
 * URL that works or has expired.
 */
export function signPosters(body: unknown, places: readonly Place[], posterUrl: (key: string) => string): void {
  for (const place of places) signAt(body, place, 0, posterUrl);
}

function signAt(part: unknown, place: Place, at: number, posterUrl: (key: string) => string): void {
  if (typeof part !== 'object' || part === null) return;
  const name = place[at];
  if (name === '*') for (const item of part as unknown[]) signAt(item, place, at + 1, posterUrl);
  else if (name !== undefined) signAt((part as Record<string, unknown>)[name], place, at + 1, posterUrl);
  else {
    const file = part as { poster?: string | null };
    if (file.poster?.startsWith('posters/')) file.poster = posterUrl(file.poster);
  }
}
