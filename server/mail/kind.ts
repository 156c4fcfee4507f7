import type { Db } from '../db/pool.ts';
import type { Letter } from './letter.ts';

/** What a mail is about, as its row has it. Texts, names and links are read when its turn comes. */
export type About = { userId?: string; address?: string; data?: Record<string, string | number> };

export type MailKind<Fields extends About = About> = {
  /** Hours after which it is of no more use. */
  hours: number;
  /** Anybody can have it sent by naming an address, so only so many an hour go to one. */
  counted: boolean;
  /** The letter to send; null where the mail has lost its purpose. */
  compose(db: Db, about: Fields): Promise<Letter | null>;
};

/** As long as a mail server that is away is asked again. */
export const patience = 17;
