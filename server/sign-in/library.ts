import { betterAuth } from 'better-auth';
import { bearer } from 'better-auth/plugins/bearer';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { libraryOptions } from './library-options.ts';

const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'second_factor' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/**
 * The sign-in library (better-auth) hashes passwords, makes sessions and checks second factors. Mail tokens,
 * accounts, members and invitations are ours. Its HTTP handler is not mounted: only endpoints of the contract
 * are reachable. `server/connect` opens it once more, with its OAuth provider.
 */
export const openLibrary = (options: ReturnType<typeof libraryOptions>) =>
  betterAuth({
    ...options,
    plugins: [bearer({ requireSignature: true }), twoFactor({ issuer: 'Atelier', schema: twoFactorTables })],
  });
