import { type Config, readConfig, UnusableConfig } from '../start/config.ts';
import { fail, type Finding, ok, warn } from './run-checks.ts';

type Variables = Record<string, string | undefined>;

const setting = 'Set it as docs/operations/settings.md says.';

/** No `config`: the settings cannot be used, and nothing else can be checked. */
export function checkConfiguration(variables: Variables): { config: Config | null; findings: Finding[] } {
  const { config, problems } = attempt(variables);
  if (!config) return { config, findings: problems.map((problem) => fail(problem, setting)) };
  const misspelled = config.environment.misspelled();
  const warnings = misspelled.map((sentence) => warn(sentence, 'Correct its name, or remove it.'));
  if (config.production)
    return { config, findings: [...warnings, ok('The settings are complete, and strong enough for production.')] };
  const refused = attempt({ ...variables, NODE_ENV: 'production' }).problems;
  const ofProduction = refused.filter((problem) => !misspelled.includes(problem));
  const names = [...new Set(ofProduction.map((problem) => problem.split(' ')[0]))].join(', ');
  const sentence = names ? `This is a trial: production refuses ${names}.` : 'NODE_ENV is not production.';
  return { config, findings: [...warnings, warn(sentence, 'Set NODE_ENV=production before the first customer.')] };
}

function attempt(variables: Variables): { config: Config | null; problems: readonly string[] } {
  try {
    return { config: readConfig(variables), problems: [] };
  } catch (error) {
    if (error instanceof UnusableConfig) return { config: null, problems: error.problems };
    throw error;
  }
}
