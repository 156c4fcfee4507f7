/** Creates a value on first use: Intl formatters are slow on phones. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
