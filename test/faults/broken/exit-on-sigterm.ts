/** For `node --import`: a process that does not finish what runs. */
process.prependListener('SIGTERM', () => process.exit(0));
