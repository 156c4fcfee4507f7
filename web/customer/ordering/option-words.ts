const number = (value: number, unit: 'day' | 'hour') =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(value);

export const sayHours = (hours: number): string =>
  hours % 24 === 0 ? number(hours / 24, 'day') : number(hours, 'hour');

export const sayRounds = (rounds: number): string =>
  `${rounds || 'no'} ${rounds === 1 ? 'round' : 'rounds'} of changes included`;
