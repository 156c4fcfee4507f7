import type { openLibrary } from './library.ts';
import type { Dependencies, Provider, Terms } from './terms.ts';

/**
 * The OAuth provider of the sign-in library. Tokens are opaque, so that an ended grant ends them at once.
 * Without a `grantId` no consent is ever found: each connection asks a person.
 */
export function openProvider(dependencies: Dependencies, terms: Terms): Provider {
  let opened: Promise<ReturnType<typeof openLibrary>> | null = null;
  const open = async () => {
    // The first request of an app loads it.
    const library = (await import('./library.ts')).openLibrary(dependencies, terms);
    await library.$context; // it stores its resource
    return library;
  };
  return async (request) => {
    opened ??= open().catch((error: unknown) => {
      opened = null; // the next request tries again
      throw error;
    });
    return (await opened).handler(request);
  };
}
