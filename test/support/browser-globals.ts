/** What modules of the pages need of a browser when loaded, and the zone of the times in their tests. */
process.env.TZ = 'Europe/Berlin';
Object.assign(globalThis, { localStorage: { getItem: () => null } });
