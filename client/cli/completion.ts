import { type Command, type Connection, type Io, UsageError } from './command.ts';
import { statuses } from './api.ts';
import { connect } from './profile.ts';
import { print } from './terminal.ts';

/** Words that may follow a command: its subcommands, or else a fixed set of arguments. */
function firstWordsOf({ args = '', commands }: Command): string {
  if (commands) return commands().map(({ name }) => name.split(' ')[1]).join(' ');
  return args.includes('|') ? args.replaceAll('|', ' ') : '';
}

async function printFamilies(io: Io, connection: Connection): Promise<void> {
  const atelier = await connect(connection, { isPublic: true });
  const { service_families: families } = await atelier.readCatalog({ retries: 0, timeoutSeconds: 3 });
  for (const { id } of families) print(io, id);
}

/** Made from the table that runs the commands. */
export const completionOf = (commands: Command[], optionsOf: (command: Command) => string[]): Command => ({
  name: 'completion',
  args: 'bash|zsh|fish',
  summary: 'print completions for a shell',
  examples: ['source <(atelier completion bash)', 'atelier completion fish > ~/.config/fish/completions/atelier.fish'],
  run: async ({ args: [shell], connection }, io) => {
    if (shell === 'families') return printFamilies(io, connection); // asked for by the scripts below
    const rows = commands.map((command) => ({
      ...command,
      words: optionsOf(command).map((name) => `--${name}`),
      first: firstWordsOf(command),
    }));
    const names = rows.map(({ name }) => name).join(' ');
    if (shell === 'fish') {
      const fishValues: Record<string, string> = {
        '--status': ` -x -a '${statuses().join(' ')}'`,
        '--family': ` -x -a '(atelier completion families 2>/dev/null)'`,
      };
      for (const { name, summary, words, first } of rows) {
        print(io, `complete -c atelier -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '')}'`);
        if (first) print(io, `complete -c atelier -f -n '__fish_seen_subcommand_from ${name}; and test (count (commandline -opc)) -eq 2' -a '${first}'`);
        for (const word of words)
          print(io, `complete -c atelier -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}${fishValues[word] ?? ''}`);
      }
    } else if (shell === 'bash' || shell === 'zsh') {
      const families = '$(atelier completion families 2>/dev/null)';
      if (shell === 'zsh') print(io, 'autoload -U +X bashcompinit && bashcompinit');
      const cases = rows.map(({ name, words, first }) => `    ${name}) words="${words.join(' ')}"; first="${first}";;`).join('\n');
      print(io, `_atelier() {
  local words="${names}" first=""
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases}
  esac; fi
  if [ "$COMP_CWORD" -eq 2 ]; then
    words="$words $first"
    case "\${COMP_WORDS[1]}" in catalog|chat) words="$words ${families}";; esac
  fi
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
    --status) words="${statuses().join(' ')}";;
    --family) words="${families}";;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _atelier atelier`);
    } else throw new UsageError('Name a shell: bash, zsh or fish.');
  },
});
