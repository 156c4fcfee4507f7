import pg from 'pg';

// What a transaction pooler does to LISTEN: the statement works, and nothing ever comes.
const client: NodeJS.EventEmitter = pg.Client.prototype;
const { emit } = client;
client.emit = function (this: NodeJS.EventEmitter, name, ...values) {
  return name === 'notification' ? false : emit.call(this, name, ...values);
};
