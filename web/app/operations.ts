import type { Atelier } from '../../client/atelier.ts';

/** Client functions that are not operations of the contract. */
type Written = 'eachJob' | 'waitForJob' | 'uploadFile';
export type Operation = Exclude<keyof Atelier, Written>;
type Options<K extends Operation> = NonNullable<Parameters<Atelier[K]>[0]>;
export type Input<K extends Operation> = Pick<Options<K>, Extract<keyof Options<K>, 'path' | 'query' | 'body'>>;
export type Output<K extends Operation> = NonNullable<Awaited<ReturnType<Atelier[K]>>>;
