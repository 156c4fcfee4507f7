import { oauthDeviceAuthorization, oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { randomInt } from 'node:crypto';
import { scopes } from '../../contract/keys.ts';
import { resourceOf } from '../../contract/oauth.ts';
import { customerPages } from '../../contract/pages.ts';
import type { Db, Trx } from '../db/pool.ts';
import { accessTokenLead, refreshTokenLead } from '../keys/app-token.ts';
import type { Auth } from '../sign-in/auth.ts';
import { type FetchDocument, metadataDocuments } from './metadata-documents.ts';
import { tables } from './tables.ts';

/** Apps get a refresh token with it. It is no right of its own. */
export const refreshScope = 'offline_access';

const requestSeconds = 30 * 60;
const codeSeconds = 60;

export type Provider = (request: Request) => Promise<Response>;

type Dependencies = {
  auth: Auth;
  publicUrl: string;
  config: { dynamicRegistration: boolean };
};
type Terms = {
  db: Db | Trx;
  /** Null: documents that were read before. */
  fetchDocument: FetchDocument | null;
  /** The grant that a consent makes. */
  grantId?: string;
};

/** Letters that cannot be mistaken for another, and no vowels that make words. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

export const createUserCode = (): string =>
  Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('');

/**
 * The OAuth provider of the sign-in library. Tokens are opaque, so that an ended grant ends them at once.
 * Without a `grantId` no consent is ever found: each connection asks a person.
 */
export function openProvider(dependencies: Dependencies, terms: Terms): Provider {
  let opened: ReturnType<typeof openLibrary> | null = null;
  return async (request) => {
    const library = (opened ??= openLibrary(dependencies, terms));
    // It stores its resource first. Where that fails, the next request tries again.
    await library.$context.catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return library.handler(request);
  };
}

function openLibrary({ auth, publicUrl, config }: Dependencies, { db, fetchDocument, grantId }: Terms) {
  const options = auth.optionsOn(db);
  return betterAuth({
    ...options,
    // The library checks tables at its first call; the tests of this room use each of them.
    advanced: { ...options.advanced, database: { ...options.advanced.database, validateSchema: false } },
    onAPIError: { errorURL: customerPages.connect },
    databaseHooks: { verification: { create: { before: async (row) => ({ data: { ...row, ...endOfCode(row) } }) } } },
    plugins: [
      bearer({ requireSignature: true }),
      oauthProvider({
        scopes: [...scopes, refreshScope],
        disableJwtPlugin: true,
        grantTypes: ['authorization_code', 'refresh_token'],
        loginPage: customerPages.connect,
        consentPage: customerPages.connect,
        postLogin: {
          page: customerPages.connect,
          shouldRedirect: () => false,
          consentReferenceId: () => grantId ?? 'none',
        },
        resources: [{ identifier: resourceOf(publicUrl), name: 'Atelier' }],
        enforcePerClientResources: false, // there is only this one
        codeExpiresIn: requestSeconds,
        prefix: { opaqueAccessToken: `${accessTokenLead}_`, refreshToken: `${refreshTokenLead}_` },
        allowDynamicClientRegistration: config.dynamicRegistration,
        allowUnauthenticatedClientRegistration: config.dynamicRegistration,
        extensions: [{ clientDiscovery: metadataDocuments(fetchDocument) }],
        silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
        schema: tables.provider,
      }),
      oauthDeviceAuthorization({
        expiresIn: '10m',
        interval: '5s',
        generateUserCode: createUserCode,
        verificationUri: `${publicUrl}${customerPages.device}`,
        schema: tables.device,
      }),
    ],
  });
}

/** The library lets a request and its code live equally long. A person needs minutes, a code one. */
function endOfCode({ value }: { value: string }): { expiresAt?: Date } {
  return /"type":"authorization_code"/.test(value) ? { expiresAt: new Date(Date.now() + codeSeconds * 1000) } : {};
}
