import { dictionary } from '@zxcvbn-ts/language-common';
import type { Detail } from '../http/refusal.ts';

/** Those of the 49,000 commonest passwords that are long enough to be chosen here. */
const common = new Set(dictionary['passwords-common'].filter((password) => password.length >= 10));

/** Why a password may not be chosen: guessers try the common ones first. */
export const passwordFault = (location: string, password: string): Detail | null =>
  common.has(password.toLowerCase())
    ? {
        location,
        message: 'is one of the commonest passwords; choose another, such as four words that do not belong together',
      }
    : null;
