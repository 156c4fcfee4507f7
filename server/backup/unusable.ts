/** Why a backup cannot be made or restored, and what to do. */
export class Unusable extends Error {
  readonly action: string;

  constructor(message: string, action: string, cause?: unknown) {
    super(message, { cause });
    this.action = action;
  }
}

const fullDisk: unknown[] = ['ENOSPC', 'EDQUOT'];

/** For `catch`: names the folder whose disk is full. Other errors are thrown as they are. */
export const orFull = (folder: string, action: string) => (error: unknown) => {
  for (let cause = error; cause instanceof Error && !(cause instanceof Unusable); cause = cause.cause)
    if ('code' in cause && fullDisk.includes(cause.code))
      throw new Unusable(`The disk of ${folder} is full.`, action, error);
  throw error;
};
