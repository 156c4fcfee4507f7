const number = (value: number, unit: 'day' | 'hour') =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(value);

/** `business`: only business hours count. Then a day has no certain number of them. */
export const sayHours = (hours: number, business = false): string => {
  if (business) return `${hours} business ${hours === 1 ? 'hour' : 'hours'}`;
  return hours % 24 === 0 ? number(hours / 24, 'day') : number(hours, 'hour');
};

export const sayRoundCount = (rounds: number): string => `${rounds || 'no'} ${rounds === 1 ? 'round' : 'rounds'}`;

type Rounds = { revision_rounds: number; revision_hours: number | null };

/** ", each within 1 day": how long requested changes take, if the studio promises a time. */
export const sayRoundTime = ({ revision_rounds: rounds, revision_hours: hours }: Rounds, business = false): string =>
  hours === null || rounds === 0 ? '' : `, ${rounds === 1 ? '' : 'each '}within ${sayHours(hours, business)}`;
