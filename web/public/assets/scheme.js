// Before the first paint, so that a dark page never flashes white.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
    // The first look into it takes a slow phone long: better now, while the other scripts are on their way.
    sessionStorage.getItem('');
  } catch {
    // Storage may be closed; then the system decides.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
