/** A host that a person has connected. */
export type Connected = {
  list(): Promise<string[]>;
  // oxlint-disable-next-line typescript/no-explicit-any
  call(name: string, args?: object): Promise<any>;
  /** Lets an hour pass for a host that looks at its own clock. */
  expire?(): void;
  close(): Promise<void>;
};

export type Setting = {
  /** The chapter Connect. */
  chapter: string;
  /** A new API key of the person. */
  key(): Promise<string>;
  /** The address of a metadata document of an app. */
  document: string;
  /** Registers an app by hand; its client id. */
  register(redirect: string): Promise<string>;
  /** The person opens an address and allows. */
  allow(address: string): Promise<URL>;
  /** The environment of programs, whose browser is the person's. */
  home: Record<string, string>;
};

/** The host sends the person to the page of the consent, and goes on by itself. */
export const asks = 'asks you';

/** A host and how it is let in. What `prepare` returns connects it, each time with what it has stored. */
export type Connecting = {
  name: string;
  way: 'by key' | 'by OAuth' | 'by OAuth, registering itself';
  /** What the host and the chapter say at the first call after its access ended. */
  ended: string;
  /** The same at an order where the person allowed only reading. */
  readOnly?: string;
  /** The same at the first call after an hour, if it cannot refresh. */
  expired?: string;
  prepare(setting: Setting): Promise<() => Promise<Connected>>;
};
