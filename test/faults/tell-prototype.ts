/** For `node --import`: tells on SIGUSR2 what `Object.prototype` has, which no request may change. */
process.on('SIGUSR2', () =>
  process.stderr.write(`prototype: ${Object.getOwnPropertyNames(Object.prototype).toSorted().join()}\n`),
);
