import pg from 'pg';

// Behaves like a transaction pooler: LISTEN succeeds but nothing arrives.
const client: NodeJS.EventEmitter = pg.Client.prototype;
const { emit } = client;
client.emit = function (this: NodeJS.EventEmitter, name, ...values) {
  return name === 'notification' ? false : emit.call(this, name, ...values);
};
