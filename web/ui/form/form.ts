import { AtelierError } from '../../../client/error.ts';

/** The fault that an error names for a field, such as `/customer_title`. */
export function fieldError(error: Error | null, location: string): string | null {
  if (!(error instanceof AtelierError)) return null;
  const found = error.details.find((detail) => detail.location === location || detail.location === `/${location}`);
  return found ? `This ${found.message}.` : null;
}

/** Whether an error names one of these fields, so that it is shown there and not below the form too. */
export const namesField = (error: Error | null, locations: string[]): boolean =>
  locations.some((location) => fieldError(error, location) !== null);
