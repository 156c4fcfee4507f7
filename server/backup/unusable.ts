/** Why a backup cannot be made or restored, and what to do. */
export class Unusable extends Error {
  readonly action: string;

  constructor(message: string, action: string, cause?: unknown) {
    super(message, { cause });
    this.action = action;
  }
}
