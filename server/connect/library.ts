import { oauthDeviceAuthorization, oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { randomInt } from 'node:crypto';
import { scopes } from '../../contract/developer/keys.ts';
import { resourceOf } from '../../contract/developer/oauth.ts';
import { customerPages } from '../../contract/pages.ts';
import { accessTokenLead, refreshTokenLead } from '../keys/app-token.ts';
import { requestSeconds } from './app-request.ts';
import { metadataDocuments } from './metadata-documents.ts';
import { type Dependencies, refreshScope, type Terms } from './terms.ts';
import { tables } from './tables.ts';

const codeSeconds = 60;

/** Letters that cannot be mistaken for another, and no vowels that make words. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ';

const createUserCode = (): string =>
  Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('');

export function openLibrary({ auth, publicUrl }: Dependencies, { db, fetchDocument, grantId }: Terms) {
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
        extensions: [{ clientDiscovery: metadataDocuments(db, fetchDocument) }],
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
