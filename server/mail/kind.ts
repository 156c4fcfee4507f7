import type { Db } from '../db/pool.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import type { Letter } from './letter.ts';

/** Stored with the mail. Texts, names and links are read when it is sent. */
export type About = { userId?: string; address?: string; data?: Record<string, string | number> };

export type MailKind<Fields extends About = About> = {
  /** Hours after which the mail is useless. */
  hours: number;
  /** Limited per address and hour, because anybody can trigger it. */
  counted: boolean;
  /** Null if the mail is no longer needed. */
  compose(db: Db, about: Fields, studio: Studio): Promise<Letter | null>;
};

/** Hours for which an unavailable mail server is retried. */
export const patience = 17;
