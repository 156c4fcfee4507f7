import type { TSchema } from 'typebox';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Route } from '../http/handle.ts';
import type { Source } from '../http/invoke.ts';

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
function posterPlaces({ answers }: Endpoint): Place[] {
  const schemas = Object.values(answers).flatMap(({ schema, preferred }) => [schema ?? [], preferred ?? []].flat());
  const places = schemas.flatMap((schema: TSchema) => placesIn(schema as Part, []));
  return [...new Map(places.map((place) => [place.join('.'), place])).values()];
}

/**
 * The route, with signed URLs in place of the keys of posters. Verbs answer keys, so that a stored answer has
 * no URL that works or has expired.
 */
export function signingPosters<Context extends { posterUrl(key: string): string }>(
  route: Route<Context>,
): Route<Context> {
  const places = posterPlaces(route.endpoint);
  if (places.length === 0) return route;
  const operationOn = (source: Source<Context>) => {
    const operation = route.operationOn(source);
    const invoke: typeof operation.invoke = async (caller, input) => {
      const answer = await operation.invoke(caller, input);
      const { posterUrl } = source.current();
      for (const place of places) signAt(answer.body, place, 0, posterUrl);
      return answer;
    };
    return { ...operation, invoke };
  };
  return { endpoint: route.endpoint, operationOn };
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
