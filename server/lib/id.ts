import { TypeID } from 'typeid-js';

/** Ids travel as TypeIDs (`job_01…`) and are stored as uuid. */
export type Prefix =
  | 'acct'
  | 'user'
  | 'sess'
  | 'mem'
  | 'inv'
  | 'key'
  | 'job'
  | 'evt'
  | 'ent'
  | 'req'
  | 'note'
  | 'wkey'
  | 'file'
  | 'ise'
  | 'msg'
  | 'aud'
  | 'hook'
  | 'dlv';

/** A new uuid of version 7: later ids sort after earlier ones. */
export const newId = (): string => new TypeID('').toUUID();

export const newRequestId = (): string => new TypeID('req').toString();

export const showId = (prefix: Prefix, uuid: string): string => TypeID.fromUUID(prefix, uuid).toString();

/** The uuid behind an id of that kind; null for anything else, which then names nothing. */
export function readId(prefix: Prefix, text: string): string | null {
  if (text.length !== prefix.length + 27) return null;
  try {
    return TypeID.fromString(text, prefix).toUUID();
  } catch {
    return null;
  }
}
